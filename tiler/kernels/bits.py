"""Machine instructions on words of 64 bits that Numba has no name for."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


def _trailing_zeros(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


def _population(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


#: The position of the lowest bit that is set, both uint64, for compiled code only; not to be asked of zero.
trailing_zeros: Any = intrinsic(_trailing_zeros)

#: How many bits of a uint64 are set, an int64; for compiled code only.
population: Any = intrinsic(_population)
