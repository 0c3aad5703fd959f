"""Define the types of arrays that kernels take, by type of number and dimensions, for type checkers and for the compiler. Each
array lies in one piece of memory, row by row. If there are many arrays, a kernel takes a `NamedTuple` of them.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

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
