"""Write CNF files for model counters, in the format of the model counting competitions since 2021 (dimacs.py, with more in
comments).

`c t` names the kind of count. `mc` counts all models. `pmc` counts models that differ in the variables of `c p show`, the
placements. `wmc` and `pwmc` add up the weights of models; a model weighs the product of the weights of its literals. A literal
that makes a placement has the weight of its tile, or 1 if that is 0; all others have weight 1. So a tiling weighs the product of
the weights of its tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tiler.backends.sat import dimacs
from tiler.errors import BadOption

if TYPE_CHECKING:
    from tiler.backends.sat.tiling import TilingFormula
    from tiler.cover.cover import Cover

KINDS = ("mc", "pmc", "wmc", "pwmc")


def write(cover: Cover, tiling: TilingFormula, kind: str, comments: Sequence[str] | None = None) -> Iterator[str]:
    """The lines of a file. Without `comments`, it has only the comments of the format. BadOption if there is not one model for
    each tiling.
    """
    refusal = _error_in(cover, tiling, kind)
    if refusal is not None:
        raise BadOption(refusal)
    yield f"c t {kind}"
    yield from dimacs.comments(cover, tiling, comments)
    head, *clauses = dimacs.clauses(tiling.formula)
    yield head
    if kind.startswith("p"):
        yield f"c p show {' '.join(map(str, range(1, len(tiling.option) + 1)))} 0"
    for variable, option in enumerate(tiling.option if "w" in kind else (), 1):
        yield f"c p weight {variable} {int(cover.weights[cover.tile[option]]) or 1} 0"
        yield f"c p weight -{variable} 1 0"
    yield from clauses


def _error_in(cover: Cover, tiling: TilingFormula, kind: str) -> str | None:
    """The reason why the models of a formula, counted in this way, are not as many as the tilings; None if they are."""
    if tiling.symmetries is not None:
        return "symmetry=lex leaves out tilings; to count leave it out"
    several = next((option for option, copy in zip(tiling.option, tiling.copy, strict=True) if (copy or 0) > 1), None)
    others = tiling.formula.variables - len(tiling.option) - tiling.decided
    if several is None and not (others and not kind.startswith("p")):
        return None
    tile = 0 if several is None else int(cover.tile[several])
    copies = f"tile {cover.names[tile]} may be used {cover.upper[tile]} times, and clauses name its copies, which"
    if not kind.startswith("p"):
        what = f"{others} variables of this CNF are the encoding's, which" if several is None else copies
        return f"{what} might multiply models; count those of the placements: p{kind}, or projects = true in a [[solver]] table"
    return f"{copies} multiplies models; to count choose an encoding with amk, as in sat:encoding=amk-auto"
