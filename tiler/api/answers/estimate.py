"""An estimate of a search in words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tiler.amounts import duration, rounded, storage
from tiler.render import table

if TYPE_CHECKING:
    from tiler.ask.size.estimate import Estimate, EstimatedNumber
    from tiler.ask.size.frontier_forecast import States

    _Row = tuple[str, EstimatedNumber, Callable[[float], str]]


def in_words(found: Estimate) -> str:
    """The estimate as a small table."""
    from tiler.ask.size.estimate import CONFIDENCE

    if found.states is not None:
        return _states_in_words(found, found.states)
    rows: list[_Row] = [("nodes", found.nodes, found.nodes.shown)]
    if found.tilings is not None:
        rows.append(("tilings", found.tilings, found.tilings.shown))
    rows.append(("time", found.seconds, duration))
    how = f"From {found.samples:,} random paths down the tree; in brackets is the interval of {CONFIDENCE:.0%} confidence."
    if found.nodes.is_exact:
        how = "The search is so short that it was made in full."
    about = f"""
        {how} A node is a placement that fits and is made. The time is CPU time of a complete
        {"search" if found.symmetry is None else f"count up to symmetry (a group of {found.symmetry})"},
        at {duration(found.seconds_per_node)} a node, as measured at the beginning of the search."""
    if not found.samples:
        about = "There is nothing to search: it is known beforehand that there is no tiling."
    return _said(rows, about)


def _states_in_words(found: Estimate, states: States) -> str:
    """The same for a count by states."""
    from tiler.ask.size.frontier_forecast import TYPICAL, TYPICAL_OF_BYTES

    def about(number: float, factor: float) -> EstimatedNumber:
        return replace(found.nodes, mean=number, low=number / factor, high=number * factor)

    if not states.layers:
        return "There is nothing to search: it is known beforehand that there is no tiling."
    rows: list[_Row] = [
        ("states", found.nodes, rounded),
        ("at a time", about(states.at_once, TYPICAL), rounded),
        ("memory", about(states.bytes, TYPICAL_OF_BYTES), storage),
        ("time", found.seconds, duration),
    ]
    halves = "The count goes from both ends, which takes less than half of that." if states.in_halves else ""
    seen = "All states were seen." if states.is_exact else f"From samples of {states.pool:,} states of each layer."
    how = f"""
        {seen} In brackets is the typical error, which may be exceeded. Memory is for the states; some 150 MB are added for the
        program. {halves} The time is CPU time of a complete
        {"count" if found.symmetry is None else f"count up to symmetry (a group of {found.symmetry})"}, at
        {duration(found.seconds_per_node)} a state."""
    return _said(rows, how)


def _said(rows: Iterable[_Row], about: str) -> str:
    """A table of numbers, and a paragraph below it."""
    lines = (
        (name, show(figure.mean), "" if figure.is_exact else f"[{show(figure.low)} to {show(figure.high)}]")
        for name, figure, show in rows
    )
    return f"{table.draw(lines)}\n\n{textwrap.fill(' '.join(about.split()), 79)}"
