"""Declare the parameters of a question once: the fields of a frozen dataclass, made with `parameter`. The options of a command,
the checks of arguments in Python, and the list of parameters in the help of a function all come from them.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiler.errors import BadArgument
from tiler.process import threads as usual
from tiler.question import quantities

Table = dict[str, Any]  #: fields by name


@dataclass(frozen=True)
class ValueKind:
    """The values that a parameter takes."""

    name: str
    words: str  #: in words, after "it must be"
    holds: Callable[[Any], bool]  #: whether a Python value is one
    read: Callable[[str], Any] = str  #: reads one on the command line; ArgumentTypeError says what is wrong
    metavar: str = "TEXT"  #: a value, as help shows it
    takes_text: bool = False  #: whether Python also takes that text
    choices: tuple[str, ...] = ()  #: all values, where these are few texts


def _from(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


FLAG = ValueKind("flag", "True or False", lambda value: isinstance(value, bool))
COUNT = ValueKind("count", "a whole number from 1", _from(1), quantities.positive, "N")
NATURAL = ValueKind("natural", "a whole number from 0", _from(0), quantities.natural, "N")
SECONDS = ValueKind(
    "seconds",
    "a number above 0, a text such as '1m', or None",
    lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value > 0,
    quantities.seconds,
    "10s",
    takes_text=True,
)
MEGABYTES = ValueKind(
    "megabytes", "a whole number of MB from 1, or a text such as '2G'", _from(1), quantities.megabytes, "2G", takes_text=True
)
WORDS = ValueKind("words", "a text", lambda value: isinstance(value, str))
LATTICE = ValueKind("lattice", "a text, such as 'hexagonal'", WORDS.holds, metavar="NAME")
OPENINGS = ValueKind(
    "openings",
    "a number of cells, such as 3 or '2..4'",
    lambda value: isinstance(value, int | str) and not isinstance(value, bool),
)
TEXTS = ValueKind(
    "texts",
    "a list of texts",
    lambda value: isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(part, str) for part in value),
)
TEXT_OR_TEXTS = ValueKind(
    "text_or_texts",
    "a text, or a list of texts",
    lambda value: WORDS.holds(value) or TEXTS.holds(value),
)
FEATURES = ValueKind("features", "a list of names, such as ['fault-free']", TEXTS.holds)
PATH = ValueKind("path", "the name of a file or folder", lambda value: isinstance(value, str | Path), metavar="FILE")


def one_of(*choices: str) -> ValueKind:
    """The kind of a few texts."""
    return ValueKind("choice", " or ".join(map(repr, choices)), lambda value: value in choices, metavar="", choices=choices)


def read_by(read: Callable[[str], Any], metavar: str) -> ValueKind:
    """The kind of the values of an option that no function of `tiler` takes."""
    return ValueKind("words", "a text", lambda value: True, read, metavar)


#: Values that the function itself checks.
OTHER = ValueKind("other", "", lambda value: True)


def parameter(
    default: Any,
    help: str,
    kind: ValueKind = FLAG,
    *,
    option: str = "",
    metavar: str = "",
    absent: str = "",
    excludes: str = "",
    nargs: str = "",
    by_place: bool = False,
) -> Any:
    """A parameter of a question: a field of its declaration.

    `help` begins with a verb. `option` has its names on the command line, by default the name of the field; there `nargs` is as
    in argparse, or "append" for an option that may be repeated, and a parameter `by_place` has no option. `absent` says what the
    default None means; options with the same word in `excludes` exclude each other.
    """
    shared = {"help": help, "kind": kind, "option": option, "metavar": metavar, "absent": absent, "excludes": excludes}
    return dataclasses.field(default=default, metadata={**shared, "nargs": nargs, "by_place": by_place})


def declare(**parameters: Any) -> Table:
    """Parameters by name, for those that no single question has."""
    for name, field in parameters.items():
        field.name = name
    return parameters


def fields_of(*declarations: Any) -> Table:
    """The parameters of some dataclasses or tables, by name; a later one overrides an earlier one."""
    fields = [declared if isinstance(declared, dict) else declared.__dataclass_fields__ for declared in declarations]
    return {name: field for declared in fields for name, field in declared.items()}


def options_of(field: dataclasses.Field[Any]) -> list[str]:
    """The names of a parameter on the command line."""
    no = "no-" if field.default is True else ""
    return str(field.metadata["option"]).split() or [f"--{no}{field.name.replace('_', '-')}"]


def checked(name: str, kind: ValueKind, value: Any) -> Any:
    """An argument of a function, as a number if it was written as text; BadArgument if it is none that the parameter takes."""
    if kind.takes_text and isinstance(value, str):
        try:
            return kind.read(value)
        except argparse.ArgumentTypeError as error:
            raise BadArgument(f"{name}: {error}") from None
    if not kind.holds(value):
        raise BadArgument(f"{name}={shown(value)}: it must be {kind.words}")
    return value


def argument(field: dataclasses.Field[Any], value: Any) -> Any:
    """The argument for a parameter; None stands for no limit where the parameter has one by default."""
    kind = field.metadata["kind"]
    if value is None and (field.default is None or kind is SECONDS):
        return None if field.default is None else math.inf
    return checked(field.name, kind, value)


def shown(value: object) -> str:
    """The beginning of a value, for a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def listed(fields: Table, defaults: Mapping[str, Any]) -> Iterator[str]:
    """A line for each parameter of a function, in Markdown: what it does, its values and its default."""
    for name, field in fields.items():
        metadata = field.metadata
        about = [] if metadata["kind"] is FLAG else [metadata["kind"].words]
        if name in defaults:
            about.append(f"default: {(not defaults[name] and metadata['absent']) or repr(defaults[name])}")
        words = "; ".join(filter(None, about))
        line = f"- `{name}`: {'if False, ' * (field.default is True)}{metadata['help']}{words and f' ({words})'}"
        yield textwrap.fill(line, 120, subsequent_indent="  ", break_long_words=False)


#: Parameters that many questions have.
COMMON = declare(
    problem=parameter(None, "ask about this instance, which make or read returns", OTHER),
    problems=parameter(None, "ask about these instances, which make or read return", OTHER),
    tiles=parameter(None, "take these tiles: texts, masks, sets of cells, or Tile", OTHER),
    solver=parameter("auto", "choose the solver: see tiler solvers", WORDS, metavar="SPEC"),
    solvers=parameter((), "run this solver", OTHER, option="--solver", metavar="SPEC", nargs="append", absent="all installed"),
    optimise=parameter(
        False, "find the heaviest tiling: the one whose tiles have the largest sum of weights", excludes="several"
    ),
    features=parameter((), "keep only tilings with all of these features", FEATURES),
    seconds=parameter(None, "stop after this time", SECONDS, option="--time-limit", absent="no limit"),
    memory=parameter(None, "stop when the process takes more memory", MEGABYTES, option="--memory-limit", absent="no limit"),
    threads=parameter(
        None,
        "search with N threads at most",
        COUNT,
        absent=f"{usual.VARIABLE}, else one for each core that the process may use",
    ),
    progress=parameter(
        False, "show a line of progress, or call a function with each Progress, which ends the search by returning False", OTHER
    ),
    executor=parameter(
        None,
        "split a long search among processes of one thread each: N processes on this machine (local:N), for solvers that cannot "
        "use threads, or the workers of a Dask cluster; the memory limit is for each process",
        WORDS,
        metavar="local:N|dask:ADDRESS",
    ),
    up_to_symmetry=parameter(False, "count tilings as one if a symmetry of the board turns one into the other"),
    limit=parameter(None, "stop after N tilings", COUNT, absent="all", excludes="several"),
    number=parameter(1, "draw N tilings, independently of each other", COUNT, option="-n --number --limit"),
    seed=parameter(0, "draw others; the same seed draws the same ones", NATURAL, metavar="SEED"),
    samples=parameter(
        None, "follow N random paths down the tree at most; for frontier, draw N states of a layer", COUNT, absent="as needed"
    ),
    pool=parameter(
        (), "choose from these pieces and sets, such as pentominoes", TEXTS, option="--from", metavar="PIECES", nargs="+"
    ),
    path=parameter(None, "read this file, or the problem of this name", PATH),
    goal=parameter("decide", "measure this question", one_of("decide", "count")),
    repeat=parameter(1, "run each solver N times on each problem", COUNT),
    folder=parameter(None, "use this folder", PATH, metavar="FOLDER", absent="none"),
    names=parameter((), "list only these", WORDS, metavar="NAME", nargs="*", by_place=True, absent="all"),
    tags=parameter((), "list only problems with one of these tags", TEXTS, option="--tag", metavar="TAG", nargs="append"),
    families=parameter(
        (), "list only problems of one of these families", TEXTS, option="--family", metavar="NAME", nargs="append"
    ),
    first=parameter(None, "compare this list: a file, or a list of tilings", OTHER, metavar="A.json", by_place=True),
    second=parameter(None, "compare it with this one", OTHER, metavar="B.json", by_place=True),
)

#: Settings of a board and its tiles, by their names in problem files, or those in formats/settings.py.
BOARD_SETTINGS = declare(
    reflections=parameter(None, "allow tiles to be turned over", absent="as sets of pieces ask for, else no"),
    as_named=parameter(False, "take exactly the pieces of a set that tiler shapes lists, whether they may be turned over or not"),
    lattice=parameter(None, "choose the form of the cells", LATTICE, absent="the lattice of the first set, else square or cubic"),
    wrap=parameter(
        None,
        "join opposite edges: rows, columns, or both; or name translations, such as 0,5",
        ValueKind("words", "a text, such as 'rows columns'", WORDS.holds),
        metavar='"rows columns"',
        absent="edges are borders",
    ),
    turning=parameter(True, "let tiles lie as they are written, without turning them"),
    crossing=parameter(True, "forbid two pieces made of edges to cross in a corner"),
    open=parameter(
        None,
        "leave at most N cells open, of those marked o (of all, if none is marked); N..N: exactly N; also M..N, M..",
        OPENINGS,
        metavar="N",
    ),
)
#: Settings of colours and marks.
PAINT_SETTINGS = declare(
    legend=parameter(None, "say which colours the letters of maps and marks stand for", WORDS, metavar='"r red, b blue"'),
    mates=parameter(None, "name pairs of marks that fit each other; every other mark fits itself", WORDS, metavar='"tab blank"'),
    fits=parameter(
        None,
        "name pairs of colours that fit, of a tile and of the board",
        WORDS,
        metavar='"red pink"',
        absent="equal colours",
    ),
    checkered=parameter(None, "colour the board like a checkerboard with these two colours", WORDS, metavar='"black white"'),
    border=parameter(
        (),
        "demand one of these marks on the border, or on its sides at top, right, bottom, left",
        TEXT_OR_TEXTS,
        option="--border-marks",
        metavar='"MARK ... at PLACE ..."',
        nargs="append",
    ),
)
#: Constraints, by their kinds in problem files.
CONSTRAINTS = declare(
    lock=parameter(
        (), "let a tile lie in its first N orientations only; without N, in its first", WORDS, metavar='"TILE N"', nargs="append"
    ),
    within=parameter(
        (), "let a tile lie only inside this box of cells", WORDS, metavar='"TILE ROW,COL..ROW,COL"', nargs="append"
    ),
    place=parameter(
        (), "put a copy of a tile on exactly these cells", WORDS, metavar='"TILE ROW,COL ROW,COL ..."', nargs="append"
    ),
    only=parameter(
        (),
        "let copies of a tile lie only on these cells, listed copy by copy",
        WORDS,
        metavar='"TILE ROW,COL ..."',
        nargs="append",
    ),
    forbid=parameter((), "let no copy of a tile cover these cells", WORDS, metavar='"ROW,COL ... for TILE"', nargs="append"),
)
_OTHERS = declare(
    board=parameter(None, "cover this board: a text, a mask, or a set of cells", OTHER),
    weights=parameter(
        None,
        "set the weight of each copy of a tile, by its name, for the heaviest tiling",
        OTHER,
        absent="0",
        option="--weight",
        metavar='"TILE N"',
        nargs="append",
    ),
)
#: All parameters of a problem that functions take.
PROBLEM = fields_of(BOARD_SETTINGS, PAINT_SETTINGS, _OTHERS)
