"""Say which parameters of questions do not go together, and which need others: one table, for commands and for functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tiler.errors import TilerError
from tiler.question.parameters import BOARD_SETTINGS, CONSTRAINTS, PAINT_SETTINGS, Table

#: Stand for the problem, if it is a general exact cover, or a file.
COVER, FILE = "(cover)", "(file)"


@dataclass(frozen=True)
class ParameterPair:
    """No parameter of `some` goes with one of `others`; or, if `needs`, each needs one of them. The sentence `why` may name them
    as `{one}` and `{other}`, and is all that is said then."""

    some: tuple[str, ...]
    others: tuple[str, ...]
    why: str
    needs: bool = False
    asked: tuple[str, ...] = ()  #: the commands or functions that it is about, where the parameters mean something else in others

    def error(self, given: Mapping[str, str]) -> str:
        """The sentence about parameters that are given, each with what the user calls it; empty if they go together."""
        one = next((name for name in self.some if name in given), None)
        if one is None:
            return ""
        there = [given[name] for name in self.others if name in given and name != one]
        if self.needs:
            return "" if there else f"{given[one]}: {self.why}"
        if not there:
            return ""
        why = self.why.format(one=given[one], other=there[0])
        return f"{given[one]} and {there[0]}: {why}; leave out one of them" if why == self.why else why


_BOARD = (
    *(*PAINT_SETTINGS, *BOARD_SETTINGS, "open_cells", *CONSTRAINTS, "features", "up_to_symmetry", "proof"),
    *("by_cell", "by_open", "checkpoint", "executor", "watch", "maximise"),
    *("colours", "marks", "size", "names", "unit", "gap", "height", "bevel", "cut", "of", "recount"),
)
_TABLES = ("by_cell", "by_open")

PAIRS = (
    ParameterPair((COVER,), _BOARD, "{other} is about boards; {one} is a general exact cover"),
    ParameterPair((FILE,), ("wrap", *PAINT_SETTINGS), "{other}: leave it out; {one} says that itself"),
    ParameterPair(("executor",), ("optimise", "maximise", "minimise"), "the heaviest tiling is found by one search"),
    ParameterPair(("executor", "watch"), ("trace", "watch"), "one search is followed"),
    ParameterPair(("executor",), ("proof",), "a proof is of one search"),
    ParameterPair(
        ("proof",), ("all", "limit", "unique", "optimise", "maximise", "minimise"), "a proof says that there is no tiling"
    ),
    ParameterPair(("features",), ("executor", "checkpoint"), "one search looks at all tilings, and it cannot be split or saved"),
    ParameterPair(("by_cell",), ("by_open",), "they are two tables"),
    ParameterPair(_TABLES, ("up_to_symmetry", "checkpoint", "executor", "features"), "a table counts every tiling, in one go"),
    ParameterPair(
        ("output",), _TABLES, "it is for what --by-cell or --by-open finds; without them there is one number", True, ("count",)
    ),
    ParameterPair(("recount",), ("of",), "a count is counted again, or the answer of another program is checked"),
    ParameterPair(("solver", "seed"), ("recount",), "it is for counting parts again: add --recount 5%", True, ("check",)),
    ParameterPair(("seconds",), ("recount", "of"), "it is for counting parts again: add --recount 5%", True, ("check",)),
    ParameterPair(
        ("csv",), ("other", "draft"), "{one} has a row for each run of one results folder: leave out {other}", asked=("report",)
    ),
    ParameterPair(("fail_if",), ("other",), "it is for comparing two results folders; name another one", True, ("report",)),
    ParameterPair(("output",), ("other", "like"), "it is for comparing two results folders; name another one", True, ("report",)),
    ParameterPair(
        ("like",),
        ("other", "csv", "draft", "kind", "clock", "filter", "solvers", "title"),
        "{one} has its own choice of records, plots and titles: leave out {other}",
        asked=("report",),
    ),
    ParameterPair(("jobs",), ("executor",), "{one} N is short for {other} local:N; give one of them"),
    ParameterPair(("quiet",), ("verbose", "stats", "trace", "watch"), "{one} prints nothing on stderr, and {other} does"),
)


def refuse(asked: str, given: Mapping[str, str], error: type[TilerError], fields: Table | None = None) -> None:
    """Raise an error if parameters of a command or function that are given, each with what the user calls it, do not go
    together. Those that `fields` declare to exclude each other do not either."""
    for pair in (*PAIRS, *_excluding(fields or {})):
        wrong = pair.error(given) if not pair.asked or asked in pair.asked else ""
        if wrong:
            raise error(wrong)


def excluded(asked: str, name: str, fields: Table) -> tuple[str, ...]:
    """The parameters among those of a question that one of them excludes."""
    pairs = [pair for pair in (*PAIRS, *_excluding(fields)) if not pair.needs and (not pair.asked or asked in pair.asked)]
    others = {
        other
        for pair in pairs
        for some, others in ((pair.some, pair.others), (pair.others, pair.some))
        for other in others
        if name in some
    }
    return tuple(other for other in fields if other in others and other != name)


def _excluding(fields: Table) -> Iterator[ParameterPair]:
    """The pairs that words in `excludes` of declarations make."""
    groups: dict[str, list[str]] = {}
    for name, field in fields.items():
        groups.setdefault(field.metadata["excludes"], []).append(name)
    return (ParameterPair(tuple(names), tuple(names), "one of them is enough") for group, names in groups.items() if group)
