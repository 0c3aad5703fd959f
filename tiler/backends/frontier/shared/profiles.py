"""Keep the profiles of a model, with masks of any number of words, in arrays that grow: see kernel_profiles.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.shared import kernel_profiles as kernel
from tiler.backends.frontier.shared.model import Model
from tiler.kernels import as_python

_ENTRIES = 200_000  # profiles entered into a new table between two pauses


class Profiles:
    """The profiles made so far, and the edges between them; at first only the profile of the empty board."""

    def __init__(self, model: Model) -> None:
        self.arrays = kernel.WideProfiles.new(1 << (2 * model.most_fits + 1022).bit_length(), model.mask_words)
        self.judging = kernel.Judging.new(model.cells, model.mask_words)
        self.arrays.links[0] = 0, 1, model.cells, -1, -1
        as_python(kernel.rehash)(self.arrays, 0, 1)

    @property
    def count(self) -> int:
        return int(self.arrays.state[kernel.PROFILES])

    @property
    def edge_count(self) -> int:
        return int(self.arrays.state[kernel.EDGES])

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        return sum(array.nbytes for array in self.arrays)

    @property
    def edge_bytes(self) -> int:
        """The bytes that the edges take among these."""
        return self.arrays.edges.nbytes

    def free(self) -> None:
        """Free the memory; only the numbers remain."""
        nothing = {name: getattr(self.arrays, name)[:0].copy() for name in ("masks", "links", "table", "edges")}
        self.arrays = self.arrays._replace(**nothing)

    def double_edges(self) -> None:
        """Make room for twice as many edges."""
        self.arrays.edges.resize((2 * len(self.arrays.edges), kernel.EDGE_COLUMNS), refcheck=False)

    def double(self, *beside: NDArray[np.int64]) -> Iterator[None]:
        """Make room for twice as many profiles, and rows of other arrays, with pauses. After that the table must be made anew."""
        arrays: tuple[NDArray[Any], ...] = (self.arrays.masks, self.arrays.links, *beside)
        for array in arrays:
            array.resize((2 * len(array), array.shape[1]), refcheck=False)
            yield

    def rehash(self) -> Iterator[None]:
        """Make the table anew, with pauses."""
        self.arrays = self.arrays._replace(table=np.zeros(4 * len(self.arrays.masks), np.int32))
        for start in range(0, self.count, _ENTRIES):
            kernel.rehash(self.arrays, start, min(start + _ENTRIES, self.count))
            yield
