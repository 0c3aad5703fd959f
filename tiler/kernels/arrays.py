"""Define the types of arrays that kernels take, by type of number and dimensions, for type checkers and for the compiler. Each
array lies in one piece of memory, row by row. If there are many arrays, a kernel takes a `NamedTuple` of them.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

I64: TypeAlias = Annotated[NDArray[np.int64], "int64[::1]"]
I64_2: TypeAlias = Annotated[NDArray[np.int64], "int64[:, ::1]"]
U64: TypeAlias = Annotated[NDArray[np.uint64], "uint64[::1]"]
U64_2: TypeAlias = Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
U64_3: TypeAlias = Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
I32: TypeAlias = Annotated[NDArray[np.int32], "int32[::1]"]
I32_2: TypeAlias = Annotated[NDArray[np.int32], "int32[:, ::1]"]
U32: TypeAlias = Annotated[NDArray[np.uint32], "uint32[::1]"]
U32_2: TypeAlias = Annotated[NDArray[np.uint32], "uint32[:, ::1]"]
U8: TypeAlias = Annotated[NDArray[np.uint8], "uint8[::1]"]
Bool: TypeAlias = Annotated[NDArray[np.bool_], "boolean[::1]"]
Bool_2: TypeAlias = Annotated[NDArray[np.bool_], "boolean[:, ::1]"]


class SolutionRows(NamedTuple):
    """Room for solutions that a kernel writes down, one behind the other."""

    values: I32_2  #: (room, most options)
    lengths: I64  #: (room,): the number of options of each
    filled: I64  #: (1,): how many there are

    @classmethod
    def new(cls, room: int, most: int) -> SolutionRows:
        """Empty: room for this number of solutions with at most `most` options."""
        return cls(np.empty((room, most), np.int32), np.zeros(room, np.int64), np.zeros(1, np.int64))

    def taken(self) -> NDArray[np.int32]:
        """The solutions that are there, shorter rows filled up with -1; there is room again."""
        count = int(self.filled[0])
        lengths = self.lengths[:count]
        rows = self.values[:count, : int(lengths.max(initial=0))].copy()
        if (lengths != rows.shape[1]).any():
            rows[np.arange(rows.shape[1]) >= lengths[:, None]] = -1
        self.filled[0] = 0
        return rows
