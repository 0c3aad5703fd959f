"""Keep the profiles of a model, with masks of any number of words, in arrays that grow: see kernel_profiles.py."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
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

    def free(self) -> None:
        """Free the memory; only the numbers remain."""
        nothing = {name: getattr(self.arrays, name)[:0].copy() for name in ("masks", "links", "table", "edges")}
        self.arrays = self.arrays._replace(**nothing)

    def make_room(
        self, more: int, affords: Callable[[int], bool], *beside: NDArray[np.int64], most_full: float = 1.0
    ) -> Generator[None, None, bool]:
        """Make room for `more` profiles and edges, with pauses, and in other arrays that have a row for each profile: arrays that
        would be more than `most_full` become twice as large. Returns whether there is room for more profiles than before. Then
        the table must be made anew. Ends early if `affords(bytes)` says that there is no memory for these bytes."""
        known = self.arrays
        if self.edge_count + more > most_full * len(known.edges):
            if not affords(known.edges.nbytes):
                return False
            known.edges.resize((2 * len(known.edges), kernel.EDGE_COLUMNS), refcheck=False)
            yield
        if self.count + more < most_full * len(known.masks):
            return False
        arrays: tuple[NDArray[Any], ...] = (known.masks, known.links, *beside)
        if not affords(known.table.nbytes + sum(array.nbytes for array in arrays)):
            return False
        for array in arrays:
            array.resize((2 * len(array), array.shape[1]), refcheck=False)
            yield
        return True

    def rehash(self) -> Iterator[None]:
        """Make the table anew, with pauses."""
        self.arrays = self.arrays._replace(table=np.zeros(4 * len(self.arrays.masks), np.int32))
        for start in range(0, self.count, _ENTRIES):
            kernel.rehash(self.arrays, start, min(start + _ENTRIES, self.count))
            yield
