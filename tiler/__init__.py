"""Tiler: can this board be covered by these polyominoes or polycubes, in how many ways, and which method tells fastest?

The functions; `help(tiler.count)` says more about one:

    make, read              make a problem; read one from a file
    read_cover              read a general exact cover
    read_tilings            read tilings that were written before
    solve, tilings          find one tiling; find all, one by one
    count                   count tilings
    uses                    count tilings by cell and placement (tiler count --by-cell)
    by_open                 count tilings by the cells that stay open (tiler count --by-open)
    estimate                estimate how long a count would take
    sample                  draw tilings at random
    prove                   prove that there is no tiling
    unique, choose          make puzzles
    hint                    say where the next piece goes
    rectangles, plane       find the rectangles that tiles fill; find out whether they tile the plane
    series                  count tilings of rectangles of every length
    compare                 compare two lists of tilings
    benchmark               measure solvers (tiler bench)
    shapes, problems        list shapes; list problems
    solvers                 list solvers

    >>> import tiler
    >>> p = tiler.make("6x6", "2")
    >>> tiler.count(p), tiler.count(p, up_to_symmetry=True)
    (6728, 930)

`tiler.TilingSet.of` keeps all tilings as one object. `tiler.errors` has what can go wrong, each a line that says what to do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiler import errors as errors
from tiler.errors import Interrupted as Interrupted
from tiler.errors import Unfinished as Unfinished
from tiler.model.drawing_hook import Drawer, draw_with
from tiler.version import __version__ as __version__

if TYPE_CHECKING:
    from tiler.ask.size.estimate import Estimate as Estimate
    from tiler.cover.cover import Cover as Cover
    from tiler.cover.cover import RowCover as RowCover
    from tiler.door.answers.answer import Answer as Answer
    from tiler.door.answers.benchmark import Benchmark as Benchmark
    from tiler.door.answers.disassembly import TakenApart as TakenApart
    from tiler.door.answers.open_counts import OpenCounts as OpenCounts
    from tiler.door.answers.piece_sets import PieceSets as PieceSets
    from tiler.door.answers.plane import PlaneTiling as PlaneTiling
    from tiler.door.answers.problems import Problems as Problems
    from tiler.door.answers.proof import Proof as Proof
    from tiler.door.answers.rectangles import FilledRectangles as FilledRectangles
    from tiler.door.answers.shapes import Shapes as Shapes
    from tiler.door.answers.solvers import SolverInfo as SolverInfo
    from tiler.door.answers.solvers import Solvers as Solvers
    from tiler.door.answers.tiling import Tiling as Tiling
    from tiler.door.answers.tiling_block import TilingBlock as TilingBlock
    from tiler.door.answers.tiling_comparison import TilingComparison as TilingComparison
    from tiler.door.answers.tiling_set import TilingSet as TilingSet
    from tiler.door.answers.unique_puzzle import UniquePuzzle as UniquePuzzle
    from tiler.door.answers.uses import Uses as Uses
    from tiler.door.catalogue import compare as compare
    from tiler.door.catalogue import problems as problems
    from tiler.door.catalogue import shapes as shapes
    from tiler.door.catalogue import solvers as solvers
    from tiler.door.functions import benchmark as benchmark
    from tiler.door.functions import by_open as by_open
    from tiler.door.functions import count as count
    from tiler.door.functions import estimate as estimate
    from tiler.door.functions import make as make
    from tiler.door.functions import prove as prove
    from tiler.door.functions import read as read
    from tiler.door.functions import read_cover as read_cover
    from tiler.door.functions import read_tilings as read_tilings
    from tiler.door.functions import sample as sample
    from tiler.door.functions import solve as solve
    from tiler.door.functions import tilings as tilings
    from tiler.door.functions import uses as uses
    from tiler.door.tiles import choose as choose
    from tiler.door.tiles import hint as hint
    from tiler.door.tiles import plane as plane
    from tiler.door.tiles import rectangles as rectangles
    from tiler.door.tiles import series as series
    from tiler.door.tiles import unique as unique
    from tiler.model.expected import Status as Status
    from tiler.model.instance import Instance as Instance
    from tiler.model.tile import Placement as Placement
    from tiler.model.tile import Tile as Tile
    from tiler.question.events import Progress as Progress
    from tiler.question.result import Stop as Stop
    from tiler.studies.hint import Hint as Hint
    from tiler.studies.series import Series as Series

_FUNCTIONS = (
    *("make", "read", "read_cover", "read_tilings", "solve", "count", "tilings"),
    *("sample", "prove", "uses", "by_open", "estimate", "benchmark"),
)
#: The module of each name that is offered. It is loaded when the name is first used, since numpy alone takes a tenth of a second.
_OFFERED = {
    **dict.fromkeys(_FUNCTIONS, "tiler.door.functions"),
    **dict.fromkeys(("rectangles", "plane", "series", "unique", "choose", "hint"), "tiler.door.tiles"),
    **dict.fromkeys(("shapes", "problems", "solvers", "compare"), "tiler.door.catalogue"),
    **dict.fromkeys(("SolverInfo", "Solvers"), "tiler.door.answers.solvers"),
    **dict.fromkeys(("Cover", "RowCover"), "tiler.cover.cover"),
    **dict.fromkeys(("Placement", "Tile"), "tiler.model.tile"),
    "Answer": "tiler.door.answers.answer",
    "Benchmark": "tiler.door.answers.benchmark",
    "Estimate": "tiler.ask.size.estimate",
    "PieceSets": "tiler.door.answers.piece_sets",
    "OpenCounts": "tiler.door.answers.open_counts",
    "FilledRectangles": "tiler.door.answers.rectangles",
    "Hint": "tiler.studies.hint",
    "Instance": "tiler.model.instance",
    "PlaneTiling": "tiler.door.answers.plane",
    "Problems": "tiler.door.answers.problems",
    "Progress": "tiler.question.events",
    "Proof": "tiler.door.answers.proof",
    "Series": "tiler.studies.series",
    "Shapes": "tiler.door.answers.shapes",
    "Status": "tiler.model.expected",
    "Stop": "tiler.question.result",
    "TakenApart": "tiler.door.answers.disassembly",
    "Tiling": "tiler.door.answers.tiling",
    "TilingBlock": "tiler.door.answers.tiling_block",
    "TilingComparison": "tiler.door.answers.tiling_comparison",
    "TilingSet": "tiler.door.answers.tiling_set",
    "UniquePuzzle": "tiler.door.answers.unique_puzzle",
    "Uses": "tiler.door.answers.uses",
}

__all__ = [*_OFFERED, "Interrupted", "Unfinished", "errors"]  # noqa: PLE0604


class _NoSuchNameError(AttributeError):
    """Its text is made when it is read: `from tiler import errors` raises one before Python looks for a module of that name."""

    def __str__(self) -> str:
        name = str(self.args[0])
        return f"module 'tiler' has no {name!r}{errors.suggest(name, __all__)}"


if not TYPE_CHECKING:  # To mypy a name that is not offered is an error.

    def __getattr__(name: str) -> Any:
        if name not in _OFFERED:
            raise _NoSuchNameError(name)
        value = globals()[name] = getattr(import_module(_OFFERED[name]), name)
        return value

    def __dir__() -> list[str]:
        return [*__all__, "__version__"]


def _svg(value: Any) -> str:
    from tiler.door.answers.instance_picture import svg_of

    return svg_of(value)


def _text(value: Any) -> str:
    from tiler.door.answers.instance_picture import text_of

    return text_of(value)


draw_with(Drawer(_svg, _text))
