"""The packaged program memtray-worker."""

import sys

from worker.__main__ import main

sys.exit(main())
