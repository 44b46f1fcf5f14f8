"""The packaged program memtray-mcp."""

import os

from mcp_server.__main__ import main

os.environ.pop("PYTHONPATH", None)  # a packaged Python never looks there
main()
