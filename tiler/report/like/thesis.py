"""Draw the figures of the thesis that show measurements: those of chapter 3, and of Appendix B in its order.

`figures.tex` has all of them with captions, for `\\input` in LaTeX. A figure there shows at most ten solvers, by a line each.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tiler.backends.registry import parse_spec
from tiler.bench.record import Record
from tiler.bench.stats import Table, tables
from tiler.errors import BadOption, InputError
from tiler.process import files
from tiler.report import chosen_records, draw, style
from tiler.report.draw import WrittenDrawing
from tiler.report.latex_draft import text
from tiler.report.like import Written
from tiler.report.names import renaming, short
from tiler.report.panels import limits_in_words

WIDE, FONT = 7.0, 8.0  # inches and points
TEX = "figures.tex"


@dataclass(frozen=True)
class ThesisFigure:
    """A figure of the thesis: its number, the campaigns whose records it shows, the solvers by their names in the thesis, what
    its caption says first, a filter of problems, and the kind of plot."""

    number: str
    campaigns: tuple[str, ...]
    solvers: tuple[str, ...]
    caption: str
    filter: str = ""
    kind: str = "instances"

    @property
    def title(self) -> str:
        return f"Figure {self.number}"

    @property
    def stem(self) -> str:
        """How the names of its files begin."""
        return f"figure-{self.number.lower().replace('.', '-')}"


def _named(*lists: str | Sequence[str]) -> tuple[str, ...]:
    """The names made of a word from each list."""
    return tuple(map("_".join, itertools.product(*([words] if isinstance(words, str) else words for words in lists))))


_ORDERS = ("default", "frequent", "rare", "fill-row")
_AMO = ("amo-auto", "amo-seq", "amo-bimander", "amo-commander", "amo-kproduct", "amo-binary", "amo-ordered")
_ENCODINGS = (*_AMO, "amk-auto", "amk-bdd", "amk-card")
_SAT_ENGINES, _BREAKERS = ("cadical", "cms"), ("no-breaker", "breakid")
_ILP_ENGINES, _SETTINGS = ("cbc", "gurobi"), ("default", "adjusted")
_OBJECTIVES = ("eq-ign", "eq-min", "geq-min", "leq-max")
_REPRESENTATIVES = ("simple_default", "dlx_default", "sat_cadical_no-breaker_amk-card", "ilp_gurobi_adjusted_eq-ign")

_SEARCHES = ("thesis-backtracking", "thesis-dlx")
_SAT = (
    *("thesis-sat", "thesis-sat-default-cells", "thesis-cryptominisat", "thesis-cryptominisat-default-cells"),
    "thesis-sat-breakid",
)
_ILP = ("thesis-ilp", "thesis-engines", "thesis-gurobi")
_ALL = (*_SEARCHES, *_SAT, *_ILP)

FIGURES = (
    ThesisFigure(
        "3.2", _ALL, _REPRESENTATIVES, "Many different tiles, each used once, by the four representatives", "/^many-unique/[0-9]/"
    ),
    ThesisFigure(
        "3.4",
        _ALL,
        _REPRESENTATIVES,
        "Boards that colourings refute, and similar ones, by the four representatives",
        "/^(2/corners|3I/L-square|4I/|4L/)/",
    ),
    ThesisFigure(
        "B.1", _SEARCHES, (*_named("simple", _ORDERS), "dlx_default"), "Backtracking by its orders of tiles, and dancing links"
    ),
    ThesisFigure("B.2", _SAT, _named("sat", "cadical", "no-breaker", _ENCODINGS), "CaDiCaL by the encodings"),
    ThesisFigure("B.3", _SAT, _named("sat", "cadical", "breakid", _ENCODINGS), "CaDiCaL after BreakID by the encodings"),
    ThesisFigure("B.4", _SAT, _named("sat", "cms", "no-breaker", _ENCODINGS), "CryptoMiniSat by the encodings"),
    ThesisFigure("B.5", _SAT, _named("sat", "cms", "breakid", _ENCODINGS), "CryptoMiniSat after BreakID by the encodings"),
    ThesisFigure(
        "B.6", _SAT, _named("sat", _SAT_ENGINES, _BREAKERS, "amo-bimander"), "The encoding amo-bimander by engine and breaker"
    ),
    ThesisFigure("B.7", _SAT, _named("sat", _SAT_ENGINES, _BREAKERS, "amk-card"), "The encoding amk-card by engine and breaker"),
    ThesisFigure("B.8", _ILP, _named("ilp", "cbc", "default", _OBJECTIVES), "CBC with its own settings by the objectives"),
    ThesisFigure("B.9", _ILP, _named("ilp", "cbc", "adjusted", _OBJECTIVES), "CBC with adjusted settings by the objectives"),
    ThesisFigure("B.10", _ILP, _named("ilp", "gurobi", "default", _OBJECTIVES), "Gurobi with its own settings by the objectives"),
    ThesisFigure(
        "B.11", _ILP, _named("ilp", "gurobi", "adjusted", _OBJECTIVES), "Gurobi with adjusted settings by the objectives"
    ),
    ThesisFigure("B.12", _ILP, _named("ilp", _ILP_ENGINES, _SETTINGS, "eq-ign"), "The objective eq-ign by engine and settings"),
    ThesisFigure("B.13", _ALL, _REPRESENTATIVES, "The four representatives"),
)


def write(results: Path, folder: Path, formats: Sequence[str]) -> Written:
    """Draw the figures into a folder, with figures.tex. Figures without records are left out, and named in the result."""

    @cache
    def read(campaign: str) -> tuple[Record, ...]:
        try:
            return chosen_records.read(results / campaign)
        except InputError:
            return ()

    paths, lacking, latex = list[Path](), list[str](), list[str]()
    for figure in FIGURES:
        found, missing = _found(figure, [record for campaign in figure.campaigns for record in read(campaign)])
        if missing:
            there = [campaign for campaign in figure.campaigns if read(campaign)] or figure.campaigns
            lacking.append(f"{figure.title}: {_lacks(missing, figure.solvers)} in {', '.join(there)}")
        if found is None:
            continue
        called = _labels([name for name in figure.solvers if name not in missing])
        shorts = {str(parse_spec(name)): label for name, label in called.items()}
        with style.laid_out(style.Layout(bare=True, width=WIDE, font=FONT, hues=True)), renaming(shorts):
            drawn = draw.write(found, folder, [figure.kind], formats, called=figure.stem)
        endings = (*formats, "csv", "txt")
        paths += [folder / f"{each.name}.{ending}" for each in drawn for ending in endings]
        latex.append(_latex(figure, found, called, drawn))
    if latex:
        paths.append(folder / TEX)
        files.write(folder / TEX, "\n".join([_HEAD, *latex]).encode())
    return Written(tuple(paths), tuple(lacking))


def _found(figure: ThesisFigure, records: Sequence[Record]) -> tuple[Table | None, list[str]]:
    """The table of a figure, of the limits with the most runs, and the solvers without records in it."""
    specs = {name: spec for name in figure.solvers if (spec := _spec(name)) is not None}
    wanted = set(specs.values())
    chosen = [record for record in records if _short(str(record["solver"])) in wanted]
    if figure.filter and chosen:
        try:
            chosen = list(chosen_records.select(chosen, [figure.filter], ()))
        except BadOption:  # None is about such a problem.
            chosen = []
    table = next(iter(tables(chosen)), None) if chosen else None
    there = {_short(solver) for solver in table.solvers} if table else set()
    return table, [name for name in figure.solvers if specs.get(name) not in there]


_short = cache(short)


@cache
def _spec(name: str) -> str | None:
    """Our spec of a name, short; None if this version does not have it."""
    try:
        return str(parse_spec(name))
    except BadOption:
        return None


def _lacks(missing: Sequence[str], solvers: Sequence[str]) -> str:
    """The solvers without records in words; briefly where the figure has one kind of solver."""
    if len(missing) == len(solvers):
        return "no records of its solvers"
    called = _labels(solvers) if len({name.split("_")[0] for name in solvers}) == 1 else {name: name for name in solvers}
    return f"no records of {', '.join(called[name] for name in missing)}"


def _labels(names: Sequence[str]) -> dict[str, str]:
    """A label for each name of the thesis: the words in which names of its kind differ, after the kind if there are several.

    >>> _labels(["sat_cms_breakid_amk-card", "sat_cms_breakid_amo-seq"])
    {'sat_cms_breakid_amk-card': 'amk-card', 'sat_cms_breakid_amo-seq': 'amo-seq'}
    >>> list(_labels(["simple_rare", "simple_default", "dlx_default"]).values())
    ['simple rare', 'simple default', 'dlx']
    """
    words = {name: name.split("_") for name in names}
    kinds = {of_name[0] for of_name in words.values()}
    made = {}
    for name, (kind, *rest) in words.items():
        others = [of_name[1:] for of_name in words.values() if of_name[0] == kind]
        differing = [word for word, column in zip(rest, zip(*others, strict=True), strict=True) if len(set(column)) > 1]
        made[name] = " ".join([*([kind] if len(kinds) > 1 or not differing else []), *differing])
    return made


_HEAD = r"""% Written by tiler report --like thesis. \usepackage{graphicx}, and \input{figures};
% \graphicspath{{FOLDER/}} if this folder is another one."""


def _latex(figure: ThesisFigure, table: Table, called: dict[str, str], drawn: Sequence[WrittenDrawing]) -> str:
    return "\n".join(_page(figure, table, called, each, page, len(drawn)) for page, each in enumerate(drawn, 1))


def _page(figure: ThesisFigure, table: Table, called: dict[str, str], drawing: WrittenDrawing, page: int, pages: int) -> str:
    which = f"{figure.title} of the thesis" + (f", part {page} of {pages}" if pages > 1 else "")
    if page == 1:
        how = drawing.caption.partition("\n")[0]
        words = " ".join([f"{figure.caption} (as {which}).", how, *_setting(table, called)])
    else:
        words = f"{figure.caption} (as {which}), to be read as part 1."
    label = figure.stem.replace("figure-", "fig:thesis-") + (f"-{page}" if pages > 1 else "")
    return rf"""
\begin{{figure}}[p]
\centering
\includegraphics[width=\textwidth,height=0.85\textheight,keepaspectratio]{{{drawing.name}}}
\caption{{{text(words)}}}
\label{{{label}}}
\end{{figure}}"""


def _setting(table: Table, called: dict[str, str]) -> Iterator[str]:
    """What a caption says about the runs."""
    yield f"{len(table.problems)} problems, limits of a run: {limits_in_words(table.limits)}."
    specs = {_short(solver): solver for solver in table.solvers}
    for name, label in called.items():
        asked = len(table.attempted(specs[str(parse_spec(name))]))
        if asked < len(table.problems):
            yield f"{label} was asked about {asked} of them."
    others = [f"{label} is {name}" for name, label in called.items() if len(name.split("_")) > len(label.split()) + 1]
    if others and len({name.split("_")[0] for name in called}) > 1:
        yield f"Names in the thesis: {', '.join(others)}."
