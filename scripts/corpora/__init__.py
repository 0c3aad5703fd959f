"""The corpora of problems/: by its tag, a function that yields the instances of each. All of them carry the tag."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from corpora.burrs import burrs
from corpora.calendars import calendars
from corpora.classic import classic
from corpora.colours import colours
from corpora.edges import edges
from corpora.few_copies import few_copies
from corpora.lattices import lattices
from corpora.pairs import pairs
from corpora.polyforms import polyforms
from corpora.scaled import scaled
from corpora.sequences import sequences
from corpora.slack import slack
from corpora.sticks import sticks
from corpora.thesis import thesis
from corpora.wraps import wraps
from tiler.model.instance import Instance

CORPORA: dict[str, Callable[[], Iterator[Instance]]] = {
    "thesis": thesis,
    "scaled": scaled,
    "classic": classic,
    "polyforms": polyforms,
    "sequences": sequences,
    "lattices": lattices,
    "wraps": wraps,
    "sticks": sticks,
    "pairs": pairs,
    "edges": edges,
    "burr": burrs,
    "calendars": calendars,
    "colours": colours,
    "slack": slack,
    "few-copies": few_copies,
}
