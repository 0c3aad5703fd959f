"""`python -m tiler`."""

import sys

from tiler.cli.main import main

sys.exit(main())
