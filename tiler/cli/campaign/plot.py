"""`tiler plot`: draw plots of a campaign from its records."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.amounts import counted
from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption, suggest
from tiler.optional_packages import need
from tiler.question.parameters import COMMON, WORDS, declare, fields_of, one_of, parameter, read_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tiler.bench.record import Record
    from tiler.bench.stats import Table

HELP = "draw the results of tiler bench"
EXAMPLES = """\
  tiler plot results/bench
  tiler plot results/bench --kind scaling --kind survival -o figures
  tiler plot results/bench --kind scatter --solver dlx --solver backtracking
  tiler plot results/bench --filter '4?/*' --clock cpu
  tiler plot results/thesis-sat --highlight amk-bdd,amo-pairwise
  tiler plot results/bench --bare --width 3.4in --font 8 --format pdf
  tiler plot results/bench --as "dlx=Dancing Links"
"""


def _inches(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(in|cm|mm)?", text)
    inches = float(match[1]) / {"cm": 2.54, "mm": 25.4}.get(match[2], 1.0) if match else 0.0
    if not 1 <= inches <= 40:
        raise argparse.ArgumentTypeError(f"{text!r} is no width from 1in to 40in, such as 3.4in or 86mm")
    return inches


def _points(text: str) -> float:
    try:
        points = float(text.removesuffix("pt"))
    except ValueError:
        points = 0.0
    if not 4 <= points <= 24:
        raise argparse.ArgumentTypeError(f"{text!r} is no size from 4 to 24 points")
    return points


_LAYOUT = declare(
    bare=parameter(False, "draw no heading and no caption; write both into a .txt beside the figure"),
    width=parameter(None, "set the width of each figure, in in, cm or mm", read_by(_inches, "3.4in"), absent="as needed"),
    font=parameter(None, "set the size of letters", read_by(_points, "PT"), absent="10"),
    title=parameter(None, "write this instead of the heading", WORDS, metavar="TITLE"),
    palette=parameter("tiler", "choose the colours of solvers", WORDS),
    called=parameter(
        (),
        "give a solver, or all variants of a backend, another name: 'dlx=Dancing Links'",
        WORDS,
        option="--as",
        metavar="'SOLVER=NAME'",
        nargs="append",
    ),
)
_OPTIONS = declare(
    results=parameter(None, "a folder of tiler bench", WORDS, metavar="RESULTS", by_place=True),
    kind=parameter((), "draw this kind of plot", WORDS, metavar="KIND", nargs="append"),
    highlight=parameter(
        (),
        "draw these in colour too, if there are more than ten solvers: the best and the worst have one anyway, others are grey",
        WORDS,
        metavar="NAME,...",
        nargs="append",
    ),
    clock=parameter(None, "choose the seconds that are shown", WORDS),
    format=parameter((), "choose the format of figures", WORDS, metavar="FORMAT", nargs="append", absent="svg and pdf"),
    band=parameter(
        "auto",
        "draw bands around the lines of survival that contain 95 % of the lines by single runs (repeats), or by other problems "
        "of the same kind (problems) (default: repeats, if there are any)",
        one_of("auto", "repeats", "problems", "off"),
    ),
)
_CHOSEN: dict[str, str | dict[str, Any]] = {
    "filter": "take only problems with a name that contains TEXT, matches GLOB, or contains REGEX",
    "solvers": {"help": "take only this solver, or all variants of this backend", "absent": ""},
}
_LOWER = "use --bare, a smaller --font, or fewer problems (--filter) or solvers (--solver)"
_WRITTEN = {"help": "write the figures into this folder", "metavar": "DIR", "absent": "plots in RESULTS"}


def configure(parser: argparse.ArgumentParser) -> None:
    need("plot", "msgspec", "matplotlib")
    from tiler.report import draw

    kinds = "\n".join(f"  {name:10} {draw.kind(name).HELP}" for name in draw.ALL_KINDS)
    only = " and ".join(draw.ON_REQUEST)
    parser.description = (
        "Draw the records in a results folder, each drawing with its data as CSV.\n"
        "Only runs with one goal and the same limits are comparable: where there are others,\n"
        f"they get a folder of their own.\n\nkinds (default: all that suit the data, but {only}):\n{kinds}\n"
    )
    add(parser, "results", "kind")
    add_choice(parser)
    add(parser, "highlight", "clock", "format", "band")
    add_layout(parser)
    declared.add(parser, OPTIONS, "output", output=_WRITTEN)


def add(parser: argparse.ArgumentParser, *names: str, **other: dict[str, Any]) -> None:
    """Add these arguments, which say what is drawn; `other` says what is different about some."""
    from tiler.bench.stats import Clock
    from tiler.report import draw

    changes: dict[str, dict[str, Any]] = {
        "kind": {"help": f"{_OPTIONS['kind'].metadata['help']}: {', '.join(draw.ALL_KINDS)}", "kind": one_of(*draw.ALL_KINDS)},
        "clock": {"kind": one_of(*Clock), "default": Clock.SOLVE},
        "format": {"help": f"{_OPTIONS['format'].metadata['help']}: {', '.join(draw.FORMATS)}", "kind": one_of(*draw.FORMATS)},
    }
    declared.add(parser, _OPTIONS, *names, **(changes | other))


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which records are taken."""
    declared.add(parser, fields_of(COMMON, OPTIONS), *_CHOSEN, **_CHOSEN)


def add_layout(parser: argparse.ArgumentParser) -> None:
    from tiler.report.style import PALETTES

    declared.add(parser.add_argument_group("for print"), _LAYOUT, palette={"kind": one_of(*PALETTES)})


def refuse_unknown(called: Sequence[str], records: Sequence[Record]) -> None:
    """BadOption if `--as` names a solver that no record is by: a spec, its label, or a backend."""
    from tiler.report.names import backend, labels, short

    specs = list(dict.fromkeys(str(record["solver"]) for record in records))
    by_label = labels(specs)
    for pair in called:
        solver = pair.rpartition("=")[0]
        if solver and solver not in {*specs, *map(short, specs), *by_label.values(), *map(backend, specs)}:
            names = sorted({*by_label.values(), *map(backend, specs)})
            raise BadOption(f"--as {pair}: no record is by {solver!r}{suggest(solver, names)}; there are {', '.join(names)}")


@contextmanager
def laid_out(args: argparse.Namespace, about: str, highlight: tuple[str, ...]) -> Iterator[None]:
    """Draw as the arguments of `add_layout` say; for `about` and `highlight` see `style.Layout`."""
    from tiler.report import names, style

    pairs = [pair.rpartition("=") for pair in args.called]
    for (solver, _, name), pair in zip(pairs, args.called, strict=True):
        if not solver or not name:
            raise BadOption(f"--as {pair}: it is 'SOLVER=NAME', as in 'dlx=Dancing Links'")
    with (
        style.laid_out(style.Layout(args.bare, args.width, args.font, args.title, args.palette, args.band, about, highlight)),
        names.renaming({solver: name for solver, _, name in pairs}),
    ):
        yield


def formats(args: argparse.Namespace) -> tuple[str, ...]:
    """What the arguments of `add_formats` ask for."""
    from tiler.report import draw

    return tuple(dict.fromkeys(args.format or draw.BY_DEFAULT))


def run(args: argparse.Namespace) -> int:
    from tiler.bench.stats import Clock
    from tiler.bench.stats import tables as tabulated
    from tiler.report import chosen_records, draw
    from tiler.report.panels import PAGE

    records = chosen_records.read(Path(args.results))
    refuse_unknown(args.called, records)
    chosen = chosen_records.select(records, args.filter, args.solvers)
    about = chosen_records.about(Path(args.results), args.filter, args.solvers)
    highlight = chosen_records.named(chosen, args.highlight)
    folder = Path(args.output) if args.output else Path(args.results) / "plots"
    tables: Sequence[Table] = tabulated(chosen, Clock(args.clock))
    for kind in args.kind:
        if not any(draw.suitable(table, [kind]) for table in tables):
            raise BadOption(f"there is nothing in these records for a plot of kind {kind}: {draw.kind(kind).HELP}")
    done: list[tuple[Path, draw.WrittenDrawing]] = []
    with laid_out(args, about, highlight):
        for index, table in enumerate(tables):
            into = folder / draw.group_name(table) if index else folder
            for written in draw.write(table, into, args.kind, formats(args)):
                print(printable.line(f"{into / written.name}  {written.title}"))
                done.append((into, written))
                if args.width is not None and written.high > PAGE + 0.05:
                    name = printable.line(written.name)
                    print(
                        f"tiler: {name} is {written.high:.1f} in high, more than a page ({PAGE:g} in): {_LOWER}", file=sys.stderr
                    )
    if not done:
        raise BadOption("there is nothing in these records that a plot could show")
    if not (args.output or args.kind or args.filter or args.solvers):
        draw.remove_others(folder, done)
    print(f"{counted(len(done), 'figure')}, each as {', '.join(formats(args))} and csv")
    return 0
