"""Tiler: can this board be covered by these polyominoes or polycubes, in how many ways, and which method tells fastest?

`formats.read` and `formats.inline` make an `Instance`, `solve.solve` answers a `Question` about it: see docs/reference/python.md.
"""

from tiler.version import __version__ as __version__
