"""`python -m tiler.kernels`: compile every kernel now, so that no search has to."""

from importlib import import_module
from pathlib import Path

from tiler.kernels import load
from tiler.kernels.digest import sources

package = Path(__file__).parent.parent
for source in sources():
    if not source.stem.startswith("__"):
        import_module(".".join(("tiler", *source.relative_to(package).with_suffix("").parts)))
load()
