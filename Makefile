# `make demo` and `make test` work on a fresh machine: they create .venv first.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed

.PHONY: demo test test-slow soak bench lint clean

demo: $(INSTALLED)  ## search sample memories, from a scratch folder
	@$(BIN)/python assets/demo/demo.py

test: $(INSTALLED)  ## everything but the slow tests
	$(BIN)/python -m pytest -m "not slow"

test-slow: $(INSTALLED)  ## the tests that take minutes
	$(BIN)/python -m pytest -m slow

soak: $(INSTALLED)  ## half an hour of writers, readers and kill -9
	$(BIN)/python -m tests.integration.soak --minutes 30

bench: $(INSTALLED)  ## measure every figure
	$(BIN)/python -m tests.bench

lint: $(INSTALLED)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:  ## remove all that was made here, .venv too
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(INSTALLED): pyproject.toml .ci/install
	@.ci/install "$(PYTHON)"
	@touch $@
