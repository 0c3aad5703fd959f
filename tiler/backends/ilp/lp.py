"""Write integer programs as LP and MPS files, by PuLP. Column xi places option i, and the comments at the top describe the
options."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tiler import printable
from tiler.process import temporary

if TYPE_CHECKING:
    from tiler.backends.ilp.program import IntegerProgram
    from tiler.cover.cover import Cover

_COMMENT = {"lp": "\\", "mps": "*"}


def write(cover: Cover, program: IntegerProgram, form: str, comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a file; `form` is `lp` or `mps`.

    An MPS file always asks for a minimum, since many readers know nothing else: a maximum is written as the minimum of the
    negated area.
    """
    mark = _COMMENT[form]
    for comment in comments:
        yield f"{mark} {printable.joined(comment)}"
    for option in range(len(cover)):
        meaning = cover.meaning(option)
        if meaning is not None:
            yield f"{mark} x{option} {json.dumps(meaning)}"
    yield from write_program(program, form)


def write_program(program: IntegerProgram, form: str) -> Iterator[str]:
    """The lines of a file without comments."""
    from tiler.backends.ilp.engines import PulpProgram

    problem = PulpProgram(program).problem
    with temporary.folder() as folder:
        path = folder / f"tiling.{form}"
        if form == "lp":
            problem.writeLP(str(path))
        else:
            problem.writeMPS(str(path), mpsSense=1)
        lines = path.read_text().splitlines()
    yield from lines
