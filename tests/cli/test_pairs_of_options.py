"""Every two options of `count` and `solve` together: the answer is that of a brute force, or one line says that they do not go
together. The table below says which; an option that is not in it fails a test. Usually several options are given at once, so that
few questions have all the pairs, and a few of these questions have all the options; the slow tests ask about each pair alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any

import pytest
from brute_force import Tiling, allowed_tilings, orbits, symmetries
from commands import call, status_of
from meanings import MEANING, OF_EDGES

from tiler.cli.main import module_of
from tiler.cli.shared import arguments as cli_arguments
from tiler.model.instance import Instance
from tiler.question.pairs import COVER, PAIRS
from tiler.selftest.brute_force import bare

COMMANDS = ("count", "solve")
#: What is asked about: a board with tiles. Where edges must not cross, it is of edges.
SHAPES = ("5x2", "2", "3L")
EDGES = ("2x2", "2-1", "2-2", "--lattice", "square-edges")
#: With settings about colours and marks the second tile has marks, with a legend colours too.
MARKED = ("5x2", "2", "3L = 3L [black . . .] [. . white .] [. white . .]")
COLOURED = ("5x2", "2", "3L = bx/w [b . . .] [. . w .] [. w . .]")

#: By option: what it is given. FOLDER is one for files.
GIVEN: dict[str, tuple[str, ...]] = {
    "--dlx": ("--dlx",),
    "--reflections": ("--reflections",),
    "--as-named": ("--as-named",),
    "--lattice": ("--lattice", "square"),
    "--wrap": ("--wrap", "columns"),
    "--no-turning": ("--no-turning",),
    "--legend": ("--legend", "b black, w white"),
    "--mates": ("--mates", "black white"),
    "--fits": ("--fits", "black white, white black"),
    "--checkered": ("--checkered", "black white"),
    "--border-marks": ("--border-marks", "black at left"),
    "--open": ("--open", "1..2"),
    "--open-cells": ("--open-cells", "0,2"),
    "--lock": ("--lock", "3L 2"),
    "--within": ("--within", "3L 0,0..1,3"),
    "--place": ("--place", "3L 0,0 0,1 1,0"),
    "--only": ("--only", "2 0,0 1,0 0,1 1,1 0,2 1,2 0,4 1,4 0,0 0,1 1,0 1,1 0,3 0,4 1,3 1,4"),
    "--forbid": ("--forbid", "0,0 1,4 for 3L"),
    "--weight": ("--weight", "3L 2"),
    "--solver": ("--solver", "dlx"),
    "--load": ("--load", "FOLDER/nothing.py"),
    "--time-limit": ("--time-limit", "10m"),
    "--memory-limit": ("--memory-limit", "60G"),
    "--threads": ("--threads", "2"),
    "--up-to-symmetry": ("--up-to-symmetry",),
    "--stats": ("--stats",),
    "--trace": ("--trace", "--solver", "dlx"),
    "--executor": ("--executor", "local:2"),
    "--fault-free": ("--fault-free",),
    "--no-crossroads": ("--no-crossroads",),
    "--apart": ("--apart",),
    "--takes-apart": ("--takes-apart",),
    "--border": ("--border",),
    "--output": ("--output", "FOLDER/out.json"),  # of count with what it writes: see `arguments_of`
    "--format": ("--format", "json"),
    # Of count alone.
    "--checkpoint": ("--checkpoint", "FOLDER/state"),
    "--by-cell": ("--by-cell",),
    "--by-open": ("--by-open",),
    # Of solve alone.
    "--all": ("--all",),
    "--limit": ("--limit", "2"),
    "--optimise": ("--optimise",),
    "--maximise": ("--maximise", "3L"),
    "--minimise": ("--minimise", "pieces"),
    "--unique": ("--unique",),
    "--colours": ("--colours", "orientation"),
    "--marks": ("--marks", "frozen"),
    "--size": ("--size", "24in"),
    "--names": ("--names",),
    "--unit": ("--unit", "20"),
    "--gap": ("--gap", "0.4"),
    "--height": ("--height", "6"),
    "--bevel": ("--bevel", "0.5"),
    "--cut": ("--cut",),
    "--watch": ("--watch",),
    "--proof": ("--proof", "FOLDER/proof.drup", "--solver", "sat"),
}

#: Where edges must not cross, other words stand for the tile and the cells.
ON_EDGES: dict[str, tuple[str, ...]] = {
    "--no-crossing": ("--no-crossing",),
    "--lattice": (),
    "--open-cells": ("--open-cells", "1,0"),
    "--lock": ("--lock", "2-2 3"),
    "--within": ("--within", "2-1 0,0..4,3"),
    "--place": ("--place", "2-1 1,0 3,0"),
    "--only": ("--only", "2-1 1,0 3,0 0,1 0,3 1,2 3,2 2,1 2,3"),
    "--forbid": ("--forbid", "1,0 4,1 for 2-2"),
    "--weight": ("--weight", "2-1 2"),
    "--maximise": ("--maximise", "2-1"),
}
GIVEN["--no-crossing"] = ON_EDGES["--no-crossing"]

#: A general exact cover: items a to d, and its options by their items.
ROWS = ("a b", "c d", "a c", "b d", "a d", "b", "c")

FEATURES = ("--fault-free", "--no-crossroads", "--apart", "--border", "--takes-apart")
SEVERAL = ("--all", "--limit", "--optimise", "--maximise", "--minimise", "--unique")
BEST = ("--optimise", "--maximise", "--minimise")
LENGTHS = ("--unit", "--gap", "--height", "--bevel", "--cut")
LOOK = ("--colours", "--marks", "--size", "--names")
PAINT = ("--legend", "--mates", "--fits", "--checkered", "--border-marks")
#: What does not go together on some boards, or with some solvers, and what is said then, beside the table in question/pairs.py.
REFUSED: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
    (("--dlx",), ("--weight",), "is no item that may be covered several times"),
    (("--dlx",), ("--minimise",), "for a general exact cover there is --minimise cost"),
    (("--no-turning",), ("--reflections",), "tiles that may not be turned cannot be reflected either"),
    (("--checkered",), ("--no-crossing",), "cannot be coloured by turns with two colours"),
    (("--border-marks",), ("--no-crossing",), "left is a side of squares"),
    (FEATURES, (*BEST, "--proof"), "tilings with features can be decided, counted and listed; the goal here is to"),
    (("--fault-free",), ("--wrap", "--no-crossing"), "it is about boards of squares or cubes that are not wrapped"),
    (("--takes-apart",), ("--no-crossing",), "pieces are taken apart along the axes of squares and cubes"),
    (("--takes-apart",), ("--wrap",), "a board that is wrapped has no space around it"),
    (("--no-crossing",), ("--wrap",), "on a wrapped board pieces may cross"),
    (BEST, ("--up-to-symmetry",), "up to symmetry, tilings can be counted and listed, but not optimised"),
    (("--weight",), ("--maximise", "--minimise"), "weights are for --optimise; leave them out with --maximise and --minimise"),
    (("--proof",), ("--trace", "--watch"), "sat cannot trace its search"),
]
OF_COUNT: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [
    (("--by-cell", "--output"), ("--solver", "--trace"), "it cannot count uses"),
]


def refusal(command: str, options: tuple[str, ...], folder: Path = Path("FOLDER")) -> str | None:
    """What is said of options that do not go together."""
    words = arguments_of(command, options, folder)
    if len(set(options) & set(SEVERAL)) > 1:
        return "not allowed with argument"
    actions = {option: action for action in parser_of(command)._actions for option in action.option_strings}
    given = {actions[word].dest: actions[word].option_strings[0] for word in words if word in actions}
    if "--dlx" in options:
        given[COVER] = words[0]
    for pair in PAIRS:
        if (not pair.asked or command in pair.asked) and pair.error(given):
            return pair.error(given)
    for some, others, said in (*REFUSED, *(OF_COUNT if command == "count" else [])):
        if any(one in some and other in others for one, other in permutations(set(options), 2)):
            return said
    # Answers are in JSON here.
    if set(options).intersection(LENGTHS):
        return "does nothing for what is printed here; it is for a "
    return "is about pictures" if set(options).intersection(LOOK) else None


def options_of(command: str) -> list[str]:
    """The options of a command, each by its longest name, as the parser has them."""
    return [
        max((name for name in action.option_strings if not name.startswith("--no-r")), key=len)
        for action in parser_of(command)._actions
        if action.option_strings and "--help" not in action.option_strings
    ]


@cache
def parser_of(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    module_of(command).configure(parser)
    return parser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs")
    (path / "nothing.py").write_text("")
    (path / "rows.dlx").write_text("\n".join(("a b c d", *ROWS)) + "\n")
    return path


def arguments_of(command: str, options: tuple[str, ...], folder: Path) -> list[str]:
    """What is written behind the command."""
    on_edges = "--no-crossing" in options
    painted = COLOURED if "--legend" in options else MARKED if set(options).intersection(PAINT) else SHAPES
    shapes = [f"{folder}/rows.dlx"] if "--dlx" in options else EDGES if on_edges else painted
    by_cell = ["--by-cell"] if command == "count" and "--output" in options and "--by-open" not in options else []
    words = {**GIVEN, **(ON_EDGES if on_edges else {})}
    given = [word.replace("FOLDER", str(folder)) for option in dict.fromkeys((*options, *by_cell)) for word in words[option]]
    return [*shapes, *given, *([] if "--format" in options else ["--format", "json"])]


@cache
def every(instance: Instance) -> set[Tiling]:
    return allowed_tilings(instance)


@cache
def up_to_symmetry(instance: Instance) -> tuple[int, set[frozenset[Tiling]]]:
    """The order of the group, and the orbits."""
    return len(symmetries(instance)), orbits(instance)


def cells_of(tiling: Tiling) -> Tiling:
    """A tiling without what is painted on its pieces."""
    return frozenset((name, bare(lying)) for name, lying in tiling)


def as_piece(piece: dict[str, Any]) -> tuple[str, frozenset[Any]]:
    """A piece of an answer as the brute force has it, with what is painted on it."""
    painted = [(*map(tuple, at), name) for *at, name in (*piece.get("colours", ()), *piece.get("marks", ()))]
    return piece["tile"], frozenset((*map(tuple, piece["cells"]), *painted))


class Truth:
    """What the brute force says of a problem and the features that are asked for."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.instance = cli_arguments.read_problem(args)
        features = cli_arguments.features_of(args)
        meaning = OF_EDGES if self.instance.lattice.has_edges else MEANING
        self.tilings = {
            each for each in every(self.instance) if all(meaning[name](self.instance, cells_of(each)) for name in features)
        }
        self.order = None
        whole = {frozenset({each}) for each in self.tilings}
        if args.up_to_symmetry or getattr(args, "unique", False):
            self.order, whole = up_to_symmetry(self.instance)
        self.kinds = {tiling: number for number, orbit in enumerate(whole) for tiling in orbit if tiling in self.tilings}
        self.number = len(set(self.kinds.values()))


def check_count(args: argparse.Namespace, lines: list[Any]) -> None:
    truth = Truth(args)
    *table, summary = lines
    assert (summary["count"], summary["symmetry"]) == (truth.number, truth.order)
    if args.by_cell:
        uses = Counter((cell, name) for tiling in truth.tilings for name, lying in tiling for cell in bare(lying))
        for cell in truth.instance.optional:
            uses[cell, ""] = len(truth.tilings) - sum(n for (at, _), n in uses.items() if at == cell)
        rows = {tuple(row["cell"]): {**row["tilings"], "": row.get("uncovered", 0)} for row in table}
        assert {(cell, name): n for cell, row in rows.items() for name, n in row.items() if n} == dict(+uses)
    elif args.by_open:
        left = Counter(truth.instance.board.difference(*(lying for _, lying in tiling)) for tiling in truth.tilings)
        assert {frozenset(map(tuple, row["open"])): row["tilings"] for row in table if row["tilings"]} == dict(left)
    else:
        assert not table


def check_solve(args: argparse.Namespace, lines: list[Any]) -> None:
    truth = Truth(args)
    *listed, summary = lines
    found = [frozenset(map(as_piece, tiling)) for tiling in listed]
    assert truth.tilings.issuperset(found)
    kinds = [truth.kinds[each] for each in found]
    lists = args.all or args.limit or args.unique
    assert summary["symmetry"] == (truth.order if lists else None)
    assert summary["status"] == ("sat" if truth.tilings else "unsat")
    if args.optimise or args.maximise or args.minimise:
        value = worth(args, truth.instance)
        best = max(map(value, truth.tilings), default=None)
        assert (summary.get("value"), [value(tiling) for tiling in found]) == (best, [best] if truth.tilings else [])
        return
    limit = 2 if args.unique else args.limit or (truth.number if args.all else 1)
    assert len(kinds) == len(set(kinds)) == min(limit, truth.number)
    if args.unique:
        assert summary["unique"] == (truth.number == 1)


def worth(args: argparse.Namespace, instance: Instance) -> Any:
    """What is to be as large as can be, of a tiling."""
    if args.minimise:
        return lambda tiling: -len(tiling)
    weight = {tile.name: int(tile.name == args.maximise) if args.maximise else tile.weight for tile in instance.tiles}
    return lambda tiling: sum(weight[name] for name, _ in tiling)


def check_rows(args: argparse.Namespace, lines: list[Any]) -> None:
    """Of the general exact cover: whatever options have every item once."""
    rows = [tuple(row.split()) for row in ROWS]
    covers = {
        frozenset(some)
        for size in range(len(rows))
        for some in combinations(rows, size)
        if sorted(item for row in some for item in row) == ["a", "b", "c", "d"]
    }
    *listed, summary = lines
    if "maximise" not in args:
        assert summary["count"] == len(covers)
        return
    found = [frozenset(tuple(row["items"]) for row in each) for each in listed]
    assert covers.issuperset(found)
    unique = getattr(args, "unique", False)
    limit = 2 if unique else args.limit or (len(covers) if args.all else 1)
    assert len(found) == len(set(found)) == min(limit, len(covers))
    if unique:
        assert lines[-1]["unique"] == (len(covers) == 1)


def answered(command: str, options: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ask with some options, and see whether that is refused or right as the table says."""
    for left in ("out.json", "state", "proof.drup", "proof.drup.cnf"):
        (folder / left).unlink(missing_ok=True)
    arguments = arguments_of(command, options, folder)
    status, out, err = call(capsys, command, *arguments)
    said = refusal(command, options, folder)
    if said is not None:
        assert (status, out) == (2, ""), (command, *arguments)
        assert said in err, (command, *arguments)
        assert err.count("\n") == 1
        return
    assert status == 0, (command, *arguments, err)
    args = parser_of(command).parse_args(arguments)
    written = (folder / "out.json").read_text() if "--output" in options else out
    lines = [json.loads(line) for line in written.splitlines()]
    check = check_rows if "--dlx" in options else check_count if command == "count" else check_solve
    try:
        check(args, lines)
    except AssertionError as wrong:
        raise AssertionError(f"tiler {command} {' '.join(arguments)}: {wrong}") from wrong


#: So many options are given at once: of these questions one in six has no tiling, with five it is one in four.
AT_ONCE = 4


@cache
def covering(command: str) -> list[tuple[str, ...]]:
    """Sets of options that go together, such that each two of them are together in one: a covering array, built greedily."""
    options = options_of(command)
    pairs = [pair for pair in combinations_with_replacement(options, 2) if refusal(command, pair) is None]
    together = set(map(frozenset, pairs))
    missing = dict.fromkeys(map(frozenset, pairs))
    runs = []
    while missing:
        run = set(next(iter(missing)))
        while len(run) < AT_ONCE:
            fitting = [a for a in options[::-1] if a not in run and together.issuperset(frozenset((a, b)) for b in (a, *run))]
            if not fitting:
                break
            run.add(max(fitting, key=lambda option: sum(frozenset((option, other)) in missing for other in run)))
        runs.append(tuple(sorted(run, key=options.index)))
        for pair in combinations_with_replacement(run, 2):
            missing.pop(frozenset(pair), None)
    return runs


def usual(command: str) -> set[tuple[str, ...]]:
    """A few of these sets in which every option is, where one process answers."""
    runs = [run for run in covering(command) if "--executor" not in run]
    chosen = set()
    missing = {option for run in runs for option in run}
    while missing:
        most = max(runs, key=lambda run: len(missing.intersection(run)))
        chosen.add(most)
        missing.difference_update(most)
    return chosen


TOGETHER = [
    pytest.param(command, run, marks=() if run in few else pytest.mark.long)
    for command, few in zip(COMMANDS, map(usual, COMMANDS), strict=True)
    for run in covering(command)
]
CASES = [(command, option) for command in COMMANDS for option in options_of(command)]


@pytest.fixture
def asked(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Ask with some options, where --watch can draw."""

    def ask(command: str, options: tuple[str, ...]) -> None:
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        answered(command, options, folder, capsys)

    return ask


@pytest.mark.parametrize(("command", "options"), TOGETHER)
def test_options_that_go_together(command: str, options: tuple[str, ...], asked: Callable[..., None]) -> None:
    asked(command, options)


@pytest.mark.parametrize("command", COMMANDS)
def test_options_that_go_together_reach_the_search(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the parser nor the table of pairs refuses them; here nothing is searched."""
    monkeypatch.setattr(module_of(command), "run", lambda args: 0)
    runs = [arguments_of(command, options, folder) for options in covering(command)]
    assert [arguments for arguments in runs if status_of(command, *arguments)] == []


@pytest.mark.parametrize(("command", "option"), CASES)
def test_options_that_do_not_go_together(command: str, option: str, asked: Callable[..., None]) -> None:
    """Each with those that come after it."""
    options = options_of(command)
    for other in options[options.index(option) :]:
        if refusal(command, (option, other)) is not None:
            asked(command, (option, other))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "option"), CASES)
def test_every_two_options(command: str, option: str, asked: Callable[..., None]) -> None:
    """Each alone, and with those that come after it."""
    options = options_of(command)
    for other in options[options.index(option) :]:
        asked(command, (option, other))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_the_table(command: str) -> None:
    assert set(options_of(command)) <= set(GIVEN)


def test_the_table_has_no_option_that_there_is_not() -> None:
    known = {option for command in COMMANDS for option in options_of(command)}
    assert set(GIVEN) == known
    assert {option for some, others, _ in (*REFUSED, *OF_COUNT) for option in (*some, *others)} <= known
