"""Divide an answer up to symmetry into parts, and choose its way: below an anchor, by Burnside's lemma, or canonical tilings.
planner.py says who searches, and orbits.py puts the parts together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tiler.ask.parts import Decomposition, SearchPart
from tiler.ask.planner import ASKED_FOR, resolved
from tiler.ask.size import search_selection
from tiler.ask.symmetry.anchors import anchors
from tiler.ask.symmetry.burnside import burnside_parts
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.group_action import actions, are_too_many, generators, images, symmetries_of
from tiler.model.symmetry import conjugacy_classes
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.plan import Way
from tiler.question.question import Goal


def decomposed(
    backend: Backend,
    cover: BoardCover,
    goal: Goal,
    check_stop: StopCheck = never_stop,
    threads: int = 1,
    *,
    thorough: bool = True,
) -> Decomposition:
    """The parts of an answer up to symmetry by a backend; the anchor is the tile that its option names. Else it is the tile that
    leaves the least to search or, without `thorough`, the tile with the fewest placements."""
    made = _decomposed(backend, cover, goal, check_stop, threads, thorough=thorough)
    return replace(made, asked=str(backend), solver=made.solver or backend.spec)


def _decomposed(
    backend: Backend, cover: BoardCover, goal: Goal, check_stop: StopCheck, threads: int, *, thorough: bool
) -> Decomposition:
    """The parts in the first way that suits: by Burnside's lemma if the group is too large to list; plain if there is no
    symmetry; by Burnside's lemma if that is quicker, or no tile can be an anchor; by canonical tilings without an anchor; else
    below the anchor."""
    unanchored = replace(backend, anchor="off")
    symmetries = symmetries_of(cover, check_stop)
    if are_too_many(cover, len(symmetries)) and goal is Goal.COUNT and backend.anchor == "off":
        classes = conjugacy_classes(cover.instance.wrap, symmetries, check_stop)
        turned, maps = images(cover, [each for each, _ in classes], check_stop)
        fixed = burnside_parts(unanchored, cover, turned, maps, [number for _, number in classes], check_stop)
        if fixed is not None:
            because = "the group is too large for an anchor"
            return Decomposition(Way.BURNSIDE, len(symmetries), fixed, len(symmetries), because)
    turned, maps = actions(cover, check_stop, symmetries)
    order = len(maps)
    if order == 1:
        return Decomposition(Way.PLAIN, order, (SearchPart(unanchored, cover, maps[1:]),), because="there is no symmetry")
    group_generators = generators(turned[:, : len(cover.cells)])
    is_named = backend.anchor not in ("off", "auto")
    found = anchors(unanchored, cover, maps, backend.anchor, check_stop)
    first = next(found, None)
    choice = None
    if first is not None:
        others = found if thorough and unanchored.can_estimate else ()  # To find what each leaves takes time.
        choice = search_selection.of_anchors(unanchored, cover, [first, *others], check_stop, threads)
    no_anchor = (
        "no tile is used just once" if choice is None else "counting everything takes less time than the parts below an anchor"
    )
    if goal is Goal.COUNT and not is_named and (choice is None or _is_cheaper_whole(unanchored, cover, choice, check_stop)):
        classes = conjugacy_classes(cover.instance.wrap, symmetries, check_stop)
        row = {symmetry: at for at, symmetry in enumerate(symmetries)}
        rows = [row[each] for each, _ in classes]
        fixed = burnside_parts(unanchored, cover, turned[rows], maps[rows], [number for _, number in classes], check_stop)
        if fixed is not None and (choice is None or search_selection.are_tiny(fixed[1:], check_stop)):
            return Decomposition(Way.BURNSIDE, order, fixed, order, no_anchor, generators=group_generators)
    if choice is None:
        return Decomposition(
            Way.CANONICAL, order, (SearchPart(unanchored, cover, maps[1:]),), 1, no_anchor, generators=group_generators
        )
    anchor, name, searching = choice.anchor, cover.names[choice.anchor.tile], unanchored
    why = ASKED_FOR if is_named else choice.why
    stats: dict[str, Any] = {"anchor": name, "anchor_because": f"{why}; {anchor.orbits} placements up to symmetry"}
    chosen = resolved(unanchored, cover, [keep for keep, _ in anchor.split], check_stop, threads, by_samples=thorough)
    if chosen.solver != str(unanchored):
        searching = parse_spec(chosen.solver)
        stats |= chosen.stats
    if (searching.numbering(cover) != unanchored.numbering(cover)).any():
        # The solver's own numbering says which placement of an orbit is kept, as if it were asked by its name.
        (anchor,) = anchors(searching, cover, maps, name, check_stop)
    return Decomposition(
        Way.ANCHOR,
        order,
        anchor.parts(searching, cover),
        stats=stats,
        is_settled=thorough or (is_named and searching is unanchored),
        solver=replace(searching, anchor=name).spec,
        generators=group_generators,
    )


def _is_cheaper_whole(backend: Backend, cover: Cover, choice: search_selection.ChosenAnchor, check_stop: StopCheck) -> bool:
    """Whether searching the whole takes less time than searching all parts below an anchor."""
    return not backend.gains_by_anchor or (
        choice.nodes is not None and choice.nodes > search_selection.size(backend, cover, check_stop)
    )
