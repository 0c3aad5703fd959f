"""Set the looks of all plots: one colour for each backend, a dash and a marker for each variant, fonts, and axes in plain
units."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tiler.bench.record import Record
from tiler.bench.stats import End, Table
from tiler.grouping import grouped
from tiler.render import colours
from tiler.report.names import backend, short

if TYPE_CHECKING:
    from matplotlib.axis import Axis

MANY = 10  #: the most solvers that have a colour each in one panel
FONT, SMALL = 10.0, 9.0  #: the sizes of letters in points; only `laid_out` makes them smaller
INK, FAINT, GRID = "#222222", "#767676", "#e6e6e6"

# Chosen so that backends often compared differ in lightness too, and the baseline is grey. From the palettes of
# Okabe and Ito, and of Paul Tol, which people who do not see every hue can tell apart; the green is a little lighter than theirs,
# as it would come near the grey. The marker is fixed with the colour.
_OURS = {
    "backtracking": ("#5f5f5f", "s"),
    "dlx": ("#0072b2", "D"),
    "fila": ("#d55e00", "^"),
    "frontier": ("#00a878", "v"),
    "sat": ("#882255", "P"),
    "ilp": ("#e69f00", "X"),
    "cpsat": ("#56b4e9", "<"),
    "coloring": ("#cc79a7", ">"),
    "auto": ("#000000", "o"),
    "beam": ("#332288", "H"),
    "strips": ("#117733", "8"),
}
_SPARE = ("#999933", "#aa4499", "#44aa99", "#661100", "#6699cc", "#888888")
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (8, 2)),
    (0, (1, 1.2)),
    (0, (8, 1.6, 1, 1.6)),
    (0, (16, 2.5)),
    (0, (6, 1, 1, 1, 1, 1)),
    (0, (4, 1.5)),
    (0, (12, 1.5, 4, 1.5)),
)
_SPARE_MARKERS = "*phd"

#: How an end other than solved is drawn: a letter for its cell, and the colour of the cell.
ENDS = {
    End.TIME: ("T", "#d9d9d9"),
    End.MEMORY: ("M", "#bdbdbd"),
    End.UNDECIDED: ("?", "#efefef"),
    End.ERROR: ("E", "#ffd27f"),
    End.WRONG: ("W", "#e0002b"),
    End.REFUSED: ("", "#ffffff"),
    End.MISSING: ("", "#ffffff"),
}
RED = ENDS[End.WRONG][1]

#: Other colours for the same backends: greys for print, and palettes of Tol and of Okabe and Ito in their own order.
PALETTES: dict[str, tuple[str, ...]] = {
    "tiler": (),
    "grey": ("#727272", "#000000", "#3c3c3c", "#8c8c8c", "#2a2a2a", "#585858", "#646464", "#4a4a4a", "#161616"),
    "bright": ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888", "#222255", "#225555"),
    "okabe-ito": ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999", "#7a6a00"),
}


@dataclass(frozen=True)
class Layout:
    """The layout of figures, on screen or for print. `width` is in inches, `font` in points; a `bare` figure has neither heading
    nor caption; `title` replaces the heading; `band` is over "repeats" or "problems", or "off"; "auto" means over repeats if
    there are any. `about` says in a heading which campaign it is, and which part of it; `highlight` has the solvers that keep
    their colour among many. With `hues` the variants of a backend have different colours, not tones of one."""

    bare: bool = False
    width: float | None = None
    font: float | None = None
    title: str | None = None
    palette: str = "tiler"
    band: str = "auto"
    about: str = ""
    highlight: tuple[str, ...] = ()
    hues: bool = False


_layouts = [Layout()]


def layout() -> Layout:
    """The layout of the figures being drawn."""
    return _layouts[-1]


def heading(title: str) -> str:
    """The heading of a figure with this title."""
    wanted = layout()
    return wanted.title if wanted.title is not None else ": ".join(filter(None, (title, wanted.about)))


@contextmanager
def laid_out(wanted: Layout) -> Iterator[None]:
    """Draw figures in this layout within a `with` block."""
    global FONT, SMALL
    before = FONT, SMALL
    if wanted.font is not None:
        FONT, SMALL = wanted.font, 0.9 * wanted.font
    _layouts.append(wanted)
    try:
        yield
    finally:
        _layouts.pop()
        FONT, SMALL = before


def rc() -> dict[Any, Any]:
    """The settings of matplotlib for the present layout."""
    if FONT == 10.0:
        return RC
    part = FONT / 10
    thin = min(1.0, part * part)  # Small letters go with thin lines, large letters not with thick ones.
    sizes = {
        "font.size": FONT,
        "axes.titlesize": FONT,
        "axes.labelsize": FONT,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "lines.markersize": RC["lines.markersize"] * part,
    }
    widths = ("lines.linewidth", "axes.linewidth", "grid.linewidth", "xtick.major.width", "ytick.major.width")
    return {**RC, **sizes, **{key: RC[key] * thin for key in widths}}


RC: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],  # Verdana is as wide, where an SVG is shown without the first.
    "font.size": FONT,
    "axes.titlesize": FONT,
    "axes.labelsize": FONT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.0,
    "xtick.minor.visible": False,
    "ytick.minor.visible": False,
    "svg.hashsalt": "tiler",
    "svg.fonttype": "none",  # letters are text: they can be searched, and read aloud
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class LineStyle:
    """The style of a solver's line: a tone of its backend's colour; variants also differ in dash and marker."""

    colour: str
    dash: Any
    marker: str

    @property
    def line(self) -> dict[str, Any]:
        """How a line is drawn; one of the `OTHERS` is thin, and lies below."""
        thin: dict[str, Any] = {"lw": 0.8, "ms": 3.0, "zorder": 1.8} if self is OTHERS else {}
        return {"color": self.colour, "ls": self.dash, "marker": self.marker, **thin}


OTHERS = LineStyle("#c4c4c4", "-", ".")  #: solvers that are not told apart


def colour(spec: str) -> str:
    """The colour of a backend, the same in every plot and every version.

    >>> colour("dlx:order=first") == colour("dlx")
    True
    """
    name = backend(spec)
    palette = PALETTES[layout().palette]
    if palette:
        return palette[_place(name) % len(palette)]
    return _OURS[name][0] if name in _OURS else _SPARE[_place(name) % len(_SPARE)]


def _place(name: str) -> int:
    """A number for a backend, which depends on its name alone."""
    return list(_OURS).index(name) if name in _OURS else zlib.crc32(name.encode())


def declared(records: Iterable[Record]) -> dict[str, str]:
    """The colours that the tables of declared programs ask for, by the solver's name."""
    wanted = ((backend(str(record["solver"])), (record.get("program") or {}).get("colour")) for record in records)
    return {name: paint for name, paint in wanted if paint}


def looks_of(table: Table, solvers: Sequence[str] | None = None) -> dict[str, LineStyle]:
    """The looks of a table's solvers, or of some of them, in the colours that declared programs ask for. A solver has the same
    looks in all figures of a report."""
    every = looks(tuple(dict.fromkeys((*table.among, *table.solvers))), declared(table.records))
    return {solver: every[solver] for solver in (table.solvers if solvers is None else solvers)}


def looks(specs: Sequence[str], paints: Mapping[str, str] = MappingProxyType({})) -> dict[str, LineStyle]:
    """The looks of the solvers of a report: the n-th variant of a backend has the n-th tone and dash of the backend; `paints`
    are the colours that declared programs ask for, unless the layout has another palette.

    >>> [look.marker for look in looks(["sat", "dlx"]).values()] == [looks([name])[name].marker for name in ("sat", "dlx")]
    True
    """
    by_backend = {name: _in_order(variants) for name, variants in grouped((backend(spec), spec) for spec in specs).items()}
    grey_dashes = layout().palette == "grey"  # Greys alone do not tell backends apart.
    markers = _markers(by_backend)
    styles: dict[str, LineStyle] = {}
    for name, variants in by_backend.items():
        paint = colour(name) if PALETTES[layout().palette] else paints.get(name) or colour(name)
        tones = _tones(paint, variants) if not layout().hues or len(specs) == len(by_backend) else _hues(variants, len(styles))
        first = _place(name) if grey_dashes else 0
        for turn, spec in enumerate(variants):
            styles[spec] = LineStyle(tones[spec], _DASHES[(first + turn) % len(_DASHES)], markers[spec])
    return styles


def _in_order(variants: Sequence[str]) -> list[str]:
    """The variants of a backend: the one without options, which so has the looks of the backend in every campaign, then the best
    first. If they are many, those that are drawn in colour together follow each other: the ones to highlight, the best, and the
    worst."""
    plain = [spec for spec in variants if short(spec) == backend(spec)]
    if len(variants) <= MANY:
        return list(dict.fromkeys((*plain, *variants)))
    named = (spec for spec in variants if spec in layout().highlight)
    return list(dict.fromkeys((*plain, *named, variants[0], *reversed(variants))))


def _hues(variants: Sequence[str], others: int) -> dict[str, str]:
    """A colour of its own for each variant, after those of `others`."""
    return {spec: list(_OURS.values())[(others + turn) % len(_OURS)][0] for turn, spec in enumerate(variants)}


def _markers(by_backend: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A marker for each solver. The first variant of a backend has the marker of the backend. A backend that is not ours takes
    the next free marker after a place that its name gives. All other variants take the marker that was given out longest ago,
    so that markers are the same only if there are more solvers than markers."""
    ours = "".join(marker for _, marker in _OURS.values())
    waiting = list(ours + _SPARE_MARKERS)
    of_backend: dict[str, str] = {}
    for name in sorted(by_backend, key=lambda name: (name not in _OURS, name)):
        start = _place(name) % len(_SPARE_MARKERS)
        near = _SPARE_MARKERS[start:] + _SPARE_MARKERS[:start] + ours
        free = [marker for marker in near if marker not in of_backend.values()]
        of_backend[name] = _OURS[name][1] if name in _OURS else (free or near)[0]
        waiting.remove(of_backend[name])
        waiting.append(of_backend[name])
    markers = {}
    for name, variants in by_backend.items():
        markers[variants[0]] = of_backend[name]
        for spec in variants[1:]:
            markers[spec] = waiting.pop(0)
            waiting.append(markers[spec])
    return markers


def _tones(paint: str, variants: Sequence[str]) -> dict[str, str]:
    """The colour of each variant of a backend."""
    if len(variants) <= MANY:
        return {spec: _tone(paint, turn, len(variants)) for turn, spec in enumerate(variants)}
    # Very many tones could not be told apart: a few colours are used in turn.
    few = (paint, *_OTHERS) if layout().palette == "tiler" else [_tone(paint, turn, MANY) for turn in range(MANY)]
    return {spec: few[turn % len(few)] for turn, spec in enumerate(variants)}


def _tone(paint: str, turn: int, number: int) -> str:
    """The tone of variant `turn` out of `number`. The first has the colour itself. The others lie evenly between dark and pale,
    the most different first, so that they differ on a grey print too.

    >>> [_tone("#882255", turn, 3) for turn in range(3)]
    ['#882255', '#d8b6c7', '#b06c8e']
    """
    mine = grey(paint)
    below = min(number - 1, max(0, round((mine - _DARK) / (_PALE - _DARK) * (number - 1)))) if mine > _DARK else 0
    above = number - 1 - below
    darker = [_DARK + (mine - _DARK) * step / below for step in range(below)]
    paler = [_PALE + (mine - _PALE) * step / above for step in range(above)]
    levels = [level for pair in zip_longest(darker, paler) for level in pair if level is not None]
    return paint if turn == 0 else _of_grey(paint, levels[turn - 1])


# Colours that no backend of ours has.
_OTHERS = ("#221166", "#2e8b57", "#ee6677", "#ddcc77", "#7a4a00", "#11a0a0", "#c71585", "#7f9f00")
_DARK, _PALE = 0.14, 0.76  # the grey levels of the darkest and the palest tone; black is for others


def grey(paint: str) -> float:
    """How light a colour is on a grey print, from 0 to 1.

    >>> grey("#000000"), round(grey("#ffffff"), 9)
    (0.0, 1.0)
    """
    return sum(part * share for part, share in zip(_parts(paint), (0.299, 0.587, 0.114), strict=True))


def _parts(paint: str) -> tuple[float, ...]:
    return tuple(part / 255 for part in colours.parts(paint))


def _of_grey(paint: str, level: float) -> str:
    """A colour mixed with black or white so that its `grey` is `level`."""
    mine = grey(paint)
    goal, share = (0.0, 1 - level / mine) if level < mine else (1.0, (level - mine) / (1 - mine))
    return colours.of_parts(round(255 * (part + (goal - part) * share)) for part in _parts(paint))


def decade(seconds: float) -> str:
    """A power of ten of seconds as an axis shows it.

    >>> [decade(10.0**power) for power in range(-5, 4)]
    ['10 µs', '100 µs', '1 ms', '10 ms', '100 ms', '1 s', '10 s', '100 s', '1,000 s']
    """
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if seconds >= 0.9 * factor:
            return f"{seconds / factor:,.3g} {unit}" if seconds / factor < 1000 else f"{seconds / factor:,.0f} {unit}"
    return f"{seconds:g} s"


def seconds_axis(axis: Axis) -> None:
    """Label an axis with decades such as `1 ms`, `10 ms`, `1 s`; it must be logarithmic already, with its limits set."""
    _log_axis(axis, decade)


def number_axis(axis: Axis) -> None:
    """Label an axis with decades such as `1`, `1,000`, or such as `1 k`, `1 M` if it reaches a million; it must be logarithmic
    already, with its limits set."""
    is_long = max(axis.get_view_interval()) >= 1e6

    def words(value: float) -> str:
        for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if is_long else ():
            if value >= size:
                return f"{value / size:,.9g} {letter}"
        return f"{value:,.9g}"

    _log_axis(axis, words)


def _log_axis(axis: Axis, words: Callable[[float], str]) -> None:
    """A tick at every decade, with words at as many as have room."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    low, high = map(math.log10, sorted(axis.get_view_interval()))
    powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    box, (wide, tall) = axis.axes.get_position(), axis.axes.figure.get_size_inches()  # type: ignore[union-attr]
    if axis is axis.axes.xaxis:
        room, need = box.width * wide, max((text_inches(words(10.0**power)) for power in powers), default=0.0) + _TICK_GAP
    else:
        room, need = box.height * tall, 1.4 * SMALL / 72
    stride = max(1, math.ceil(need * (high - low) / room))
    labelled = set(powers[::stride])
    axis.set_major_locator(FixedLocator([10.0**power for power in powers]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: words(value) if round(math.log10(value)) in labelled else ""))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


_TICK_GAP = 0.08  # the least room between two labels of a horizontal axis, in inches


def decades(values: Sequence[float], *, at_least: int = 1, margin: float = 1.15) -> tuple[float, float]:
    """A range of whole decades around some positive values, widened on both sides by the factor `margin`."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = max(math.ceil(math.log10(max(values)) - 1e-9), low + at_least)
    return 10.0**low / margin, 10.0**high * margin


@cache
def _advance(letter: str) -> float:
    """The width of a letter of size 1 point, in points, with its distance to the next letter."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties(family=RC["font.sans-serif"][0])))
    font.set_size(100.0, 72)
    return float(font.load_char(ord(letter)).linearHoriAdvance) / 65536 / 100


def text_inches(text: str, size: float | None = None) -> float:
    """The width of a line of text in inches; `size` is in points, by default the small size."""
    return sum(map(_advance, text)) * (SMALL if size is None else size) / 72


def wrapped(text: str, inches: float, size: float | None = None) -> list[str]:
    """The text in lines no wider than `inches`, broken between words; `size` is of letters, in points, by default the small
    size."""
    lines = []
    for part in text.split("\n"):
        line = ""
        for word in part.split():
            longer = f"{line} {word}".lstrip()
            if line and text_inches(longer, size) > inches:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def dark(paint: str) -> str:
    """A colour of the same hue, dark enough for small letters and dots on white."""
    red, green, blue = _parts(paint)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    factor = min(1.0, 0.42 / light) if light else 1.0
    return colours.of_parts(round(255 * part * factor) for part in (red, green, blue))
