"""`python -m tiler.kernels`: compile every kernel now, so that no search has to."""

from tiler.kernels import load
from tiler.kernels.digest import import_all

import_all()
load()
