"""Copy rows of numbers in kernels: `into[i] = row` would need new memory, which compiled kernels do not have."""

from __future__ import annotations

from typing import Any

from tiler.kernels.inner import inner


@inner(inline=True)
def copy(row: Any, into: Any) -> None:
    """Copy numbers, from the first on: into a row that is no shorter, and lies elsewhere or before it."""
    for i in range(row.size):
        into[i] = row[i]
