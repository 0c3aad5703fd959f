"""Run the command `tiler` as `python -m tiler`."""

import sys

from tiler.cli import start

sys.exit(start())
