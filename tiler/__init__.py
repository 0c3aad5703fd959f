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
from tiler.extensions import merged
from tiler.model.drawing_hook import Drawer, draw_with
from tiler.version import __version__ as __version__

if TYPE_CHECKING:
    from tiler.api.answers.answer import Answer as Answer
    from tiler.api.answers.benchmark import Benchmark as Benchmark
    from tiler.api.answers.counts import OpenCounts as OpenCounts
    from tiler.api.answers.counts import Uses as Uses
    from tiler.api.answers.problems import Problems as Problems
    from tiler.api.answers.proof import Proof as Proof
    from tiler.api.answers.shapes import Shapes as Shapes
    from tiler.api.answers.solvers import SolverInfo as SolverInfo
    from tiler.api.answers.solvers import Solvers as Solvers
    from tiler.api.answers.tiling import Tiling as Tiling
    from tiler.api.answers.tiling_block import TilingBlock as TilingBlock
    from tiler.api.answers.tiling_comparison import TilingComparison as TilingComparison
    from tiler.api.answers.tiling_set import TilingSet as TilingSet
    from tiler.api.catalogue import compare as compare
    from tiler.api.catalogue import problems as problems
    from tiler.api.catalogue import shapes as shapes
    from tiler.api.catalogue import solvers as solvers
    from tiler.api.functions import benchmark as benchmark
    from tiler.api.functions import by_open as by_open
    from tiler.api.functions import count as count
    from tiler.api.functions import estimate as estimate
    from tiler.api.functions import make as make
    from tiler.api.functions import prove as prove
    from tiler.api.functions import read as read
    from tiler.api.functions import read_cover as read_cover
    from tiler.api.functions import read_tilings as read_tilings
    from tiler.api.functions import sample as sample
    from tiler.api.functions import solve as solve
    from tiler.api.functions import tilings as tilings
    from tiler.api.functions import uses as uses
    from tiler.apps.mathematics.answers.plane import PlaneTiling as PlaneTiling
    from tiler.apps.mathematics.answers.rectangles import FilledRectangles as FilledRectangles
    from tiler.apps.mathematics.functions import plane as plane
    from tiler.apps.mathematics.functions import rectangles as rectangles
    from tiler.apps.mathematics.functions import series as series
    from tiler.apps.mathematics.series import Series as Series
    from tiler.apps.puzzles.answers.disassembly import TakenApart as TakenApart
    from tiler.apps.puzzles.answers.piece_sets import PieceSets as PieceSets
    from tiler.apps.puzzles.answers.unique_puzzle import UniquePuzzle as UniquePuzzle
    from tiler.apps.puzzles.functions import choose as choose
    from tiler.apps.puzzles.functions import hint as hint
    from tiler.apps.puzzles.functions import unique as unique
    from tiler.apps.puzzles.hint import Hint as Hint
    from tiler.ask.size.estimate import Estimate as Estimate
    from tiler.cover.cover import Cover as Cover
    from tiler.cover.cover import RowCover as RowCover
    from tiler.model.expected import Status as Status
    from tiler.model.instance import Instance as Instance
    from tiler.model.tile import Placement as Placement
    from tiler.model.tile import Tile as Tile
    from tiler.question.events import Progress as Progress
    from tiler.question.result import Stop as Stop

_FUNCTIONS = (
    *("make", "read", "read_cover", "read_tilings", "solve", "count", "tilings"),
    *("sample", "prove", "uses", "by_open", "estimate", "benchmark"),
)
#: The module of each name that the engine offers; apps offer more (extensions.py). A module is loaded when a name of it is first
#: used, since numpy alone takes a tenth of a second.
_OFFERED = {
    **dict.fromkeys(_FUNCTIONS, "tiler.api.functions"),
    **dict.fromkeys(("shapes", "problems", "solvers", "compare"), "tiler.api.catalogue"),
    **dict.fromkeys(("SolverInfo", "Solvers"), "tiler.api.answers.solvers"),
    **dict.fromkeys(("Cover", "RowCover"), "tiler.cover.cover"),
    **dict.fromkeys(("Placement", "Tile"), "tiler.model.tile"),
    "Answer": "tiler.api.answers.answer",
    "Benchmark": "tiler.api.answers.benchmark",
    "Estimate": "tiler.ask.size.estimate",
    "OpenCounts": "tiler.api.answers.counts",
    "Instance": "tiler.model.instance",
    "Problems": "tiler.api.answers.problems",
    "Progress": "tiler.question.events",
    "Proof": "tiler.api.answers.proof",
    "Shapes": "tiler.api.answers.shapes",
    "Status": "tiler.model.expected",
    "Stop": "tiler.question.result",
    "Tiling": "tiler.api.answers.tiling",
    "TilingBlock": "tiler.api.answers.tiling_block",
    "TilingComparison": "tiler.api.answers.tiling_comparison",
    "TilingSet": "tiler.api.answers.tiling_set",
    "Uses": "tiler.api.answers.counts",
}


class _NoSuchNameError(AttributeError):
    """Its text is made when it is read: `from tiler import errors` raises one before Python looks for a module of that name."""

    def __str__(self) -> str:
        name = str(self.args[0])
        return f"module 'tiler' has no {name!r}{errors.suggest(name, _all())}"


def _all() -> list[str]:
    """The names that `from tiler import *` takes."""
    return [*_OFFERED, *merged("names"), "Interrupted", "Unfinished", "errors"]


if not TYPE_CHECKING:  # To mypy a name that is not offered is an error.

    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return _all()
        module = _OFFERED.get(name) or merged("names").get(name)
        if module is None:
            raise _NoSuchNameError(name)
        value = globals()[name] = getattr(import_module(module), name)
        return value

    def __dir__() -> list[str]:
        return [*_all(), "__version__"]


def _svg(value: Any) -> str:
    from tiler.api.answers.instance_picture import svg_of

    return svg_of(value)


def _text(value: Any) -> str:
    from tiler.api.answers.instance_picture import text_of

    return text_of(value)


draw_with(Drawer(_svg, _text))
