"""Tiler: can this board be covered by these polyominoes or polycubes, in how many ways, and which method tells fastest?

`formats.read` and `formats.inline` make an `Instance`, `solve.solve` answers a `Query` about it; see the README for more.
"""

__version__ = "0.1.0"
