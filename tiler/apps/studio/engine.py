"""Answer the messages of the page about one problem: open it, lay tiles, ask questions. This class knows nothing of HTTP."""

from __future__ import annotations

import json as plain_json
from collections.abc import Callable, Sequence
from dataclasses import replace

from tiler.amounts import counted
from tiler.apps.studio import geometry, painting, questions
from tiler.apps.studio.live import IDLE_LIMITS, IDLE_LIST_LIMITS, MANY, Live
from tiler.apps.studio.messages import (
    AnswerMessage,
    AreaMessage,
    CountedMessage,
    Data,
    Event,
    LaidMessage,
    LaidTileMessage,
    OpenedMessage,
    ProgressMessage,
    TileMessage,
)
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.formats import json
from tiler.model.instance import Instance
from tiler.model.placed import placing
from tiler.render import viewer
from tiler.render.colours import PALETTE, PieceColours

MOST_CELLS = 10_000  #: the most cells of a board with live answers
MOST_BODY = 2_000  #: the most cells of a body that the page shows beside the layers
MOST_LISTED = 50_000  #: the most placements that the page is told
ATTEMPT_SECONDS = 0.7  #: for a question that the process of the page tries to answer


class Engine:
    """One problem at a time."""

    def __init__(self) -> None:
        self._instance: Instance | None = None
        self._live: Live | None = None
        self._why_not_live = ""
        self._last: tuple[Sequence[LaidTileMessage], LaidMessage] | None = None  # a move to which no number was known

    def open(self, problem: Data) -> OpenedMessage:
        """Open a problem in place of the last one; InputError says what is wrong with it."""
        instance = instance_of(problem)
        self._instance, self._live, self._last = instance, None, None
        is_small = len(instance.board) <= MOST_CELLS
        self._why_not_live = ""
        if not is_small:
            self._why_not_live = f"the board has {len(instance.board):,} cells; above {MOST_CELLS:,} there are no live numbers"
        elif not instance.tiles:
            self._why_not_live = "there is no piece yet"

        cover = BoardCover.of(instance) if is_small and instance.tiles else None
        listed = int((~cover.fills).sum()) if cover is not None else 0
        if listed > MOST_LISTED:
            cover = None
            self._why_not_live = f"there are {listed:,} placements; above {MOST_LISTED:,} there are no live numbers"
        if cover is not None:
            self._live = Live(instance, cover)
        return OpenedMessage(
            0,
            document_of(instance),
            geometry.lattice_message(instance.lattice),
            tuple(sorted(instance.board)),
            _tiles(instance),
            None if cover is None else _placements(cover, listed),
            tuple(_warnings(instance, cover)),
            _area(instance, cover),
            cover is not None,
            self._why_not_live,
            painting.ground(instance),
            tuple(tone.fill for tone in PALETTE),
            viewer.data(instance, ()) if instance.dimension == 3 and len(instance.board) <= MOST_BODY else None,
            painting.inks(instance),
        )

    def lay(self, revision: int, laid: Sequence[LaidTileMessage], going_on: Callable[[], bool] = lambda: True) -> LaidMessage:
        """The answer to a move. Where there are no live answers nothing is known. Numbers are left for later once `going_on` says
        no."""
        if self._instance is None:
            raise InputError("no problem is open")
        if self._live is None:
            return LaidMessage(revision, None, None, (), (), (), (), None, 0.0)
        answer = self._live.lay(revision, laid, going_on)
        counting = answer.count in (None, MANY)
        self._last = (laid, answer) if counting else None
        return replace(answer, counting=counting)

    def prepare(self, going_on: Callable[[], bool]) -> CountedMessage | None:
        """Use a time in which nobody asks for anything to make the diagram of a large problem, or else a list of what goes on
        from the last move, until `going_on` says no. The answer to that move, if it had no number, and has one now or gets
        none."""
        if self._live is None:
            return None
        has_diagram = self._live.diagram(IDLE_LIMITS, going_on) is not None
        if self._last is None:
            return None
        laid, answer = self._last
        if has_diagram or self._live.list_tilings(laid, IDLE_LIST_LIMITS, going_on):
            self._last = None
            return CountedMessage(self._live.lay(answer.revision, laid))
        return self.end_counting() if going_on() else None

    def end_counting(self) -> CountedMessage | None:
        """The answer to the last move again, if it has no number: none will come."""
        last, self._last = self._last, None
        return None if last is None else CountedMessage(last[1])

    def ask(
        self, id: str, question: str, parameters: Data, laid: Sequence[LaidTileMessage], emit: Callable[[Event], None]
    ) -> None:
        """Answer a question; what is known meanwhile, and the answer, are emitted. This may take long: the caller may
        end the process."""
        if self._instance is None:
            raise InputError("no problem is open")
        questions.ask(self._instance, id, question, parameters, laid, emit)

    def attempt(
        self,
        id: str,
        question: str,
        parameters: Data,
        laid: Sequence[LaidTileMessage],
        emit: Callable[[Event], None],
        going_on: Callable[[], bool],
    ) -> bool:
        """Answer a question, or refuse it, if that takes less than a second and `going_on` does not say no; else False, and
        nothing is said."""
        if self._instance is None:
            raise InputError("no problem is open")
        events: list[Event] = []
        limited = questions.Limited(ATTEMPT_SECONDS, going_on)
        questions.ask(self._instance, id, question, parameters, laid, events.append, limited)
        answer = events[-1]
        is_known = not (isinstance(answer, AnswerMessage) and answer.status == "unknown")
        if is_known:
            for event in events:
                if not isinstance(event, ProgressMessage):
                    emit(event)
        return is_known


def instance_of(problem: Data) -> Instance:
    """The instance of a document."""
    return json.parse(plain_json.dumps(problem))


def document_of(instance: Instance) -> Data:
    """The document of an instance."""
    written: Data = plain_json.loads(json.write(instance))
    return written


def laid_of(instance: Instance) -> tuple[LaidTileMessage, ...]:
    """The tiles that constraints of a problem place on the board."""
    return tuple(
        LaidTileMessage(
            each.tile, tuple(sorted(each.cells)), locked=True, orientation=each.orientations - 1 if each.orientations else None
        )
        for each in placing(instance)
    )


def _tiles(instance: Instance) -> tuple[TileMessage, ...]:
    fills = PieceColours.of(instance, ()).tiles
    made = []
    for number, tile in enumerate(instance.distinct_tiles):
        names = tuple(other.name for other in instance.tiles if instance.number_of(other.name) == number)
        orientations = tuple(tuple(sorted(shape)) for shape in instance.variants(tile))
        turned, flipped, mirrored = geometry.moves(instance, tile)
        bounds = tile.at_least, tile.at_most
        coats = painting.coats(instance, tile, fills[tile.name])
        ways = turned, flipped, mirrored
        made.append(TileMessage(tile.name, fills[tile.name], tile.size, *bounds, orientations, *ways, names, coats))
    return tuple(made)


def _placements(cover: BoardCover, listed: int) -> tuple[tuple[int, ...], ...]:
    """Every placement: its tile, its orientation, and the indices of its cells."""
    tiles, variants, members = cover.tile.tolist(), cover.variant.tolist(), cover.members.lists()
    sizes = cover.areas.tolist()
    return tuple((tiles[option], variants[option], *members[option][: sizes[tiles[option]]]) for option in range(listed))


def _area(instance: Instance, cover: BoardCover | None) -> AreaMessage:
    """The area of the board that is covered at most, and of the pieces."""
    least_open, most_open = instance.stay_open
    board = len(instance.board) - least_open
    least = sum(tile.at_least * tile.size for tile in instance.tiles)
    unlimited = any(tile.at_most is None for tile in instance.tiles)
    most = None if unlimited else sum((tile.at_most or 0) * tile.size for tile in instance.tiles)
    refusal = cover.refusal() if cover is not None else None
    if refusal is not None and refusal.startswith("area: "):
        return AreaMessage(board, least, most, refusal.removeprefix("area: "), fits=False)
    pieces = "any number of cells" if most is None else counted(most, "cell")
    spare = f", of which {counted(most_open, 'cell')} may stay open" if most_open > least_open else ""
    return AreaMessage(board, least, most, f"the pieces have {pieces}, the board {counted(board, 'cell')}{spare}", fits=True)


def _warnings(instance: Instance, cover: BoardCover | None) -> list[str]:
    """What is worth knowing: congruent tiles, and tiles that fit nowhere."""
    said = []
    for number, tile in enumerate(instance.distinct_tiles):
        names = [other.name for other in instance.tiles if instance.number_of(other.name) == number]
        if len(names) > 1:
            said.append(f"{' and '.join(names)} are congruent: they are copies of one tile")
        if cover is not None and not (cover.tile == number).any():
            said.append(f"{tile.name} fits nowhere on the board")
    return said
