"""Write the C header of the kernels: the parameters of their functions in machine code (signature.py).

python -m tiler.kernels.header >docs/reference/kernels.h
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tiler.kernels import Kernel
from tiler.kernels.digest import Source, import_all
from tiler.kernels.signature import Array, Number, Parameter, Struct

_HEAD = """\
/* The kernels of Tiler, written by `python -m tiler.kernels.header`.

   Each function returns 0; where it returns -1 or 1 it failed, as by a division by zero, and outcome[1] is not 0. What a kernel
   gives back is outcome[0]. An array is the address of its first number and its lengths; it lies in one piece, row by row. What
   the arrays hold is said in the file that is named above each function. A kernel keeps nothing of its own: threads may call it
   at the same time with arrays of their own. */

#ifndef TILER_KERNELS_H
#define TILER_KERNELS_H

#include <stdint.h>

/* Which library this processor can run: kernels-0.so, or from 1 on kernels-1.so. In kernels-0.so only. */
int tiler_level(void);
"""


def header(kernels: Iterable[Source]) -> str:
    """The text of the header."""
    known = list(kernels)
    arrays = {part for each in known for part in _parts(each) if isinstance(part, Array)}
    return "\n".join([_HEAD, *map(_array, sorted(arrays)), "", *map(_kernel, known), "#endif\n"])


def _parts(kernel: Source) -> Iterator[Number | Array]:
    for _, parameter in kernel.signature.parameters:
        if isinstance(parameter, Struct):
            yield from (part for _, part in parameter.parts)
        else:
            yield parameter


def _array(array: Array) -> str:
    kind = "uint8_t" if array.kind == "boolean" else f"{array.kind}_t"
    lengths = "length" if array.dimensions == 1 else f"length[{array.dimensions}]"
    return f"{_type(array)} {{ {kind} *items; int64_t {lengths}; }};"


def _kernel(kernel: Source) -> str:
    lines = [f"/* {kernel.function.__module__}.{kernel.function.__qualname__} */"]
    for struct in dict.fromkeys(each for _, each in kernel.signature.parameters if isinstance(each, Struct)):
        fields = [f"    {_type(part)} {name};" for name, part in struct.parts]
        lines += [f"struct {kernel.name}_{struct.name} {{", *fields, "};"]
    arguments = ["uint64_t outcome[2]", *(_argument(kernel, name, each) for name, each in kernel.signature.parameters)]
    result = f" /* outcome[0]: {_type(kernel.signature.result)} */" if kernel.signature.result else ""
    return "\n".join([*lines, f"int32_t {kernel.name}(", ",\n".join(f"    {each}" for each in arguments), f");{result}", ""])


def _argument(kernel: Source, name: str, parameter: Parameter) -> str:
    if isinstance(parameter, Number):
        return f"{_type(parameter)} {name}"
    struct = f"struct {kernel.name}_{parameter.name}" if isinstance(parameter, Struct) else _type(parameter)
    return f"const {struct} *{name}"


def _type(part: Number | Array) -> str:
    if isinstance(part, Number):
        return "uint64_t" if part.kind == "uint64" else "int64_t"
    return f"struct tiler_{part.kind}" + (f"_{part.dimensions}" if part.dimensions > 1 else "")


if __name__ == "__main__":
    import_all()
    print(header(Source.of(each.function) for each in Kernel.all), end="")
