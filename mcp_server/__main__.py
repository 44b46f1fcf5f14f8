"""The program memtray-mcp: keeps stdout for the protocol alone, then serves it."""

import os
import sys


def main() -> None:
    """Serve the client on stdin and stdout until it goes, its process dies or SIGTERM comes."""
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass  # it fills a closed standard stream, whose place another file would take
    os.close(spare)
    wire = os.dup(1)
    os.dup2(2, 1)  # whatever is printed from now on goes to stderr
    if "PYTHONPATH" in os.environ:  # it may lead to a `worker` package that is not ours
        sys.path.insert(0, __file__.rpartition("mcp_server")[0])
    _serve(wire)


def _serve(wire: int) -> None:
    import argparse
    import contextlib
    import gc

    from worker import __version__
    from worker.shared.self_test import SelfTest

    parser = argparse.ArgumentParser("memtray-mcp", description="Serve memories to an MCP client.")
    parser.add_argument("--version", action="version", version=f"memtray-mcp {__version__}")
    parser.add_argument("--data-dir", metavar="D", help="the folder that holds claude-mem.db")
    parser.add_argument("--self-test", action=SelfTest, nargs=0, help="check that it answers")
    with os.fdopen(os.dup(wire), "w", errors="replace") as out, contextlib.redirect_stdout(out):
        args = parser.parse_args()
    gc.disable()  # the SDK's import is nearly all of the start; this and the rest save a third
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    with contextlib.suppress(ImportError):  # hundreds of models are then made when first used
        from mcp_types._wire_base import WireModel

        WireModel.model_config["defer_build"] = True
    from mcp_server.server import run

    gc.freeze()
    gc.enable()
    run(args.data_dir, os.fdopen(0, "rb"), os.fdopen(wire, "wb"))


if __name__ == "__main__":
    main()
