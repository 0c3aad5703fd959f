"""Give an instance its name, and say what is known about it."""

from __future__ import annotations

from dataclasses import replace

from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance


def described(
    instance: Instance,
    name: str,
    title: str,
    source: str,
    tags: tuple[str, ...],
    counts: tuple[int | None, int | None] = (None, None),
    *,
    solvable: bool = True,
) -> Instance:
    """The instance with its name, to which the verdict is added. `counts` are the number of tilings and that up to symmetry, None
    where it is not known; if one of them is 0, the instance is not solvable."""
    solvable = solvable and 0 not in counts
    expected = Expected(Status.SAT if solvable else Status.UNSAT, *counts)
    return replace(instance, name=f"{name}_{'s' if solvable else 'u'}", about=About(title, source, tags, expected))
