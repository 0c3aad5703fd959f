"""Define the messages between the page and the engine, as frozen dataclasses. `message_json` writes and reads them, by the
standard library alone; scripts/page_types.py writes the types of the page from these classes.

In the page a message has the name of its class without the ending `Message`. Cells are lists of whole numbers. Numbers of tilings
are decimal strings, since they pass 2^53.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Cell = tuple[int, ...]
Spot = tuple[float, float]  #: x to the right, y downwards; one unit is the side of a square
Data = dict[str, Any]  #: an object whose keys another module checks


@dataclass(frozen=True)
class LaidTileMessage:
    """A tile that lies on the board. `orientation` is the number of the way it lies, where its paint can be seen; None else."""

    tile: str
    cells: tuple[Cell, ...]
    locked: bool = False
    orientation: int | None = None


@dataclass(frozen=True)
class NameMessage:
    """The name of a lattice or of a problem."""

    name: str


@dataclass(frozen=True)
class ReadTextMessage:
    """A pasted text, or a file: text, or base64 if it is packed."""

    name: str = ""
    text: str | None = None
    base64: str | None = None


@dataclass(frozen=True)
class NameTilesMessage:
    """Tiles by words, such as `1:pentominoes` or `1:5P 2:4T`."""

    words: str
    lattice: str = ""
    reflections: bool | None = None


@dataclass(frozen=True)
class NameBoardMessage:
    """A board by words, such as `6x10`."""

    words: str
    lattice: str = ""


@dataclass(frozen=True)
class OpenMessage:
    """Open a problem in the session of a tab."""

    session: str
    problem: Data


@dataclass(frozen=True)
class LayMessage:
    """The tiles that lie on the board of a session, all of them. Answers about older revisions are dropped."""

    session: str
    revision: int
    laid: tuple[LaidTileMessage, ...] = ()


@dataclass(frozen=True)
class AskMessage:
    """A question, by the name of a form."""

    session: str
    question: str
    parameters: Data
    laid: tuple[LaidTileMessage, ...] = ()


@dataclass(frozen=True)
class StopMessage:
    """End the work on a question."""

    session: str
    id: str


@dataclass(frozen=True)
class CloseMessage:
    """End a session."""

    session: str


@dataclass(frozen=True)
class SaveMessage:
    """Write a problem, or tilings, in one of the forms of the catalogue."""

    problem: Data
    form: str
    laid: tuple[LaidTileMessage, ...] = ()
    parameters: Data | None = None
    tilings: tuple[tuple[LaidTileMessage, ...], ...] | None = None


@dataclass(frozen=True)
class PeriodMessage:
    """A translation of a lattice: of cells, and of their places in the drawing of a layer."""

    cell: Cell
    at: Spot


@dataclass(frozen=True)
class SideMessage:
    """A side of a cell that may have a mark, by the cell beyond it, and its ends in the drawing; there are none for a side to
    another layer."""

    beyond: Cell
    ends: tuple[Spot, ...]


@dataclass(frozen=True)
class CellKindMessage:
    """A cell of the unit that the translations repeat, as it is drawn."""

    cell: Cell
    centre: Spot
    outline: tuple[Spot, ...]
    sides: tuple[SideMessage, ...] = ()
    beyond: tuple[Cell | None, ...] = ()  #: in space, the cell beyond each of its faces, in the order of the body


@dataclass(frozen=True)
class PatchMessage:
    """Paint on a cell of a tile, or of the board: it moves as the cell does. Patches of a higher `level` are drawn later: the
    border of the piece comes after level 0."""

    cell: Cell
    loop: tuple[Spot, ...]
    fill: str
    border: float
    level: int
    name: str


@dataclass(frozen=True)
class LatticeMessage:
    """Every cell is the cell of one of the `kinds` plus whole multiples of the periods (and of `layer`, in space).

    Where cells lie in layers, the first coordinate of a cell is its layer, each layer has a drawing of its own, and `layer` leads
    to another one. In a space without layers there are three periods, and the drawing is a view of the whole.
    """

    name: str
    dimension: int
    has_edges: bool
    periods: tuple[PeriodMessage, ...]
    layer: PeriodMessage | None
    kinds: tuple[CellKindMessage, ...]


@dataclass(frozen=True)
class ReadMessage:
    """A problem that was read, and the pieces that lie there already."""

    problem: Data
    format: str
    laid: tuple[LaidTileMessage, ...]


@dataclass(frozen=True)
class TilesMessage:
    """Tiles as the document has them."""

    tiles: tuple[Data, ...]
    reflections: bool
    lattice: str
    sentence: str


@dataclass(frozen=True)
class BoardMessage:
    """A board as the document has it."""

    board: tuple[Cell, ...]
    optional: tuple[Cell, ...]
    lattice: str


@dataclass(frozen=True)
class TileMessage:
    """A tile, with its orientations at the origin. `turned[i]` is the orientation after a turn to the right of orientation i;
    `flipped[i]` the one after turning over from left to right, in space after tipping to the front; `mirrored[i]` in space the
    mirror image. -1: not allowed. `coats[i]` is the paint that is seen, empty where nothing is painted."""

    name: str
    fill: str
    area: int
    at_least: int
    at_most: int | None
    orientations: tuple[tuple[Cell, ...], ...]
    turned: tuple[int, ...]
    flipped: tuple[int, ...]
    mirrored: tuple[int, ...]
    names: tuple[str, ...] = ()  #: of congruent tiles of the problem, which are one tile here
    coats: tuple[tuple[PatchMessage, ...], ...] = ()


@dataclass(frozen=True)
class AreaMessage:
    """The number of cells of the board that must be covered at most, and of the pieces, with a sentence."""

    board: int
    at_least: int
    at_most: int | None
    sentence: str
    fits: bool


@dataclass(frozen=True)
class OpenedMessage:
    """An opened problem. A placement is [tile, orientation, cell index, ...]; there are none above 50,000."""

    revision: int
    problem: Data
    lattice: LatticeMessage
    cells: tuple[Cell, ...]
    tiles: tuple[TileMessage, ...]
    placements: tuple[tuple[int, ...], ...] | None
    warnings: tuple[str, ...]
    area: AreaMessage
    live: bool
    live_sentence: str
    ground: tuple[PatchMessage, ...] = ()  #: the paint of the board
    palette: tuple[str, ...] = ()  #: colours that are easy to tell apart
    body: Data | None = None  #: a board in space, as the view that can be turned takes it
    inks: tuple[tuple[str, str], ...] = ()  #: the names of colours and marks, each with the colour of its paint


@dataclass(frozen=True)
class WhyMessage:
    """The reason why there is no tiling."""

    sentence: str
    kind: Literal["area", "cell", "piece", "colouring", "parity", "cases", "search"]
    colours: tuple[tuple[Cell, int], ...] | None = None
    sums: Data | None = None
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class LaidMessage:
    """The tilings with the tiles that lie on the board. `count` is "many" where it is not known; `counting` says whether it may
    come later. `fits` are the placements beside the tiles laid, each with its number of tilings; `forced` those that lie in every
    tiling."""

    revision: int
    possible: bool | None
    count: str | None
    forced: tuple[int, ...]
    fits: tuple[tuple[int, str | None], ...]
    dead: tuple[Cell, ...]
    single: tuple[Cell, ...]
    why: WhyMessage | None
    seconds: float
    counting: bool = False


@dataclass(frozen=True)
class ErrorMessage:
    """What is wrong with a request."""

    error: str


@dataclass(frozen=True)
class TextBlockMessage:
    """A text, as the command prints it."""

    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True)
class PictureBlockMessage:
    """A picture."""

    svg: str
    caption: str
    kind: Literal["picture"] = "picture"


@dataclass(frozen=True)
class TilingsBlockMessage:
    """Tilings; `count` is the number of all of them, if it is known."""

    count: str | None
    tilings: tuple[tuple[LaidTileMessage, ...], ...]
    complete: bool
    kind: Literal["tilings"] = "tilings"


@dataclass(frozen=True)
class CellsBlockMessage:
    """A number on each cell."""

    values: tuple[tuple[Cell, str], ...]
    caption: str
    kind: Literal["cells"] = "cells"


@dataclass(frozen=True)
class ViewerBlockMessage:
    """Data for the view that can be turned."""

    data: Data
    kind: Literal["viewer"] = "viewer"


@dataclass(frozen=True)
class PuzzleBlockMessage:
    """Another problem that an answer found, with the pieces that lie there; the page can go on with it."""

    caption: str
    problem: Data
    laid: tuple[LaidTileMessage, ...]
    kind: Literal["puzzle"] = "puzzle"


Block = TextBlockMessage | PictureBlockMessage | TilingsBlockMessage | CellsBlockMessage | ViewerBlockMessage | PuzzleBlockMessage


@dataclass(frozen=True)
class ProgressMessage:
    """How far a question is, with what is known so far."""

    id: str
    words: str
    nodes: int
    found: str
    seconds: float
    event: Literal["progress"] = "progress"


@dataclass(frozen=True)
class PartMessage:
    """More tilings of a list."""

    id: str
    tilings: tuple[tuple[LaidTileMessage, ...], ...]
    event: Literal["part"] = "part"


@dataclass(frozen=True)
class AnswerMessage:
    """The answer to a question; `command` and `python` do the same, with the problem saved as a file."""

    id: str
    question: str
    status: str
    sentences: tuple[str, ...]
    blocks: tuple[Block, ...]
    command: str
    python: str
    seconds: float
    stop: str
    event: Literal["answer"] = "answer"


@dataclass(frozen=True)
class FailedMessage:
    """A question that cannot be answered."""

    id: str
    error: str
    event: Literal["failed"] = "failed"


@dataclass(frozen=True)
class GoneMessage:
    """The process of the session is gone; the next move opens the problem again. With a name the session is another one: what
    was asked before has ended, and the ids of its own questions begin with the name."""

    sentence: str
    session: str = ""
    event: Literal["gone"] = "gone"


@dataclass(frozen=True)
class CountedMessage:
    """A better answer to the last move, to which no number was known at first; or the same, if there will be no number."""

    answer: LaidMessage
    event: Literal["counted"] = "counted"


Event = ProgressMessage | PartMessage | AnswerMessage | FailedMessage | GoneMessage | CountedMessage

REQUESTS = (
    *(NameMessage, ReadTextMessage, NameTilesMessage, NameBoardMessage, OpenMessage, LayMessage, AskMessage),
    *(StopMessage, CloseMessage, SaveMessage),
)
#: The unions that have a name in the page.
UNIONS = {"Block": Block, "Event": Event}
