"""`python -m tiler.kernels`: compile every kernel now, so that no search has to."""

import pkgutil
from importlib import import_module

import tiler.kernels

for module in pkgutil.iter_modules(tiler.kernels.__path__):
    if module.name != "__main__":
        import_module(f"tiler.kernels.{module.name}")
