# `make demo` and `make test` work on a fresh machine: they create .venv first.

PYTHON ?= python3
WINDOWS := $(filter Windows_NT,$(OS))
SYSTEM := $(if $(WINDOWS),windows,$(if $(filter Darwin,$(shell uname -s)),macos,linux))
BIN := .venv/$(if $(WINDOWS),Scripts,bin)
FROZEN := dist/memtray
INSTALLED := .venv/installed
TEXTS := $(wildcard app/translations/*.ts)
SAYS = $(sort $(shell find app -name '*.py'))
GATHER := -silent -no-obsolete -locations none

.PHONY: texts translations demo test test-slow soak bench bundle package test-package lint clean

demo: $(INSTALLED) translations  ## search sample memories, from a scratch folder
	@$(BIN)/python assets/demo/demo.py

test: $(INSTALLED) translations  ## everything but the slow tests
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadfile --no-loadscope-reorder

test-slow: $(INSTALLED)  ## the tests that take minutes
	$(BIN)/python -m pytest -m slow

soak: $(INSTALLED)  ## half an hour of writers, readers and kill -9
	$(BIN)/python -m tests.integration.soak --minutes 30

bench: $(INSTALLED)  ## measure every figure
	$(BIN)/python -m tests.bench

texts: $(INSTALLED)  ## gather what the app says into the files of its translations
	$(BIN)/pyside6-lupdate $(GATHER) $(SAYS) -ts app/translations/memtray_zh_CN.ts
	$(BIN)/pyside6-lupdate $(GATHER) -pluralonly $(SAYS) -ts app/translations/memtray_en.ts

translations: $(TEXTS:.ts=.qm)  ## compile the translations

bundle: $(INSTALLED) translations  ## the three programs in a folder that needs no Python
	$(BIN)/python packaging/icons.py build/made
	$(BIN)/python -m PyInstaller --noconfirm --log-level WARN --workpath build/pyinstaller packaging/memtray.spec
	for name in memtray memtray-worker memtray-mcp; do \
		$(FROZEN)/$$name --version && $(FROZEN)/$$name --self-test || exit 1; done

package: bundle  ## the package of this system, and the plugins for Claude
	$(BIN)/python packaging/$(SYSTEM)/package.py
	$(BIN)/python packaging/plugin/build.py dist

test-package:  ## as root: install the packages on a bare Debian, use them, remove them
	$(BIN)/python packaging/linux/test_package.py \
		$(if $(BASE),--base "$(BASE)") $(if $(OLDER),--older "$(OLDER)")

lint: $(INSTALLED)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:  ## remove all that was made here, .venv too
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

%.qm: %.ts | $(INSTALLED)
	@$(BIN)/pyside6-lrelease -silent $<

$(INSTALLED): pyproject.toml .ci/install
	@sh .ci/install "$(PYTHON)"
	@touch $@
