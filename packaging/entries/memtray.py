"""The packaged program memtray."""

import sys

from app.__main__ import main

sys.exit(main())
