"""Ask the questions of Tiler for the page: list them from their declarations, answer one with what is known meanwhile, and say
which command and which lines of Python do the same."""

from __future__ import annotations

import json as plain_json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from tiler import extensions
from tiler.amounts import counted
from tiler.api import functions
from tiler.api.answers.estimate import in_words
from tiler.api.answers.tiling import Tiling
from tiler.api.forms import forms
from tiler.apps.studio import painting
from tiler.apps.studio.catalogue_messages import FormMessage, ParameterMessage
from tiler.apps.studio.live import with_laid
from tiler.apps.studio.message_json import read, to_json
from tiler.apps.studio.messages import (
    AnswerMessage,
    Block,
    CellsBlockMessage,
    Data,
    Event,
    FailedMessage,
    LaidTileMessage,
    PartMessage,
    PictureBlockMessage,
    ProgressMessage,
    PuzzleBlockMessage,
    TextBlockMessage,
    TilingsBlockMessage,
    ViewerBlockMessage,
)
from tiler.apps.studio.same_question import STEPS_SOLVER, command_of, python_of
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.errors import InputError, MissingDependency, TilerError, Unfinished, suggest
from tiler.formats import json
from tiler.model.instance import Instance
from tiler.model.placed import placed, without_placed
from tiler.model.tile import Placement
from tiler.process.memory import megabytes_beside
from tiler.question.events import Progress
from tiler.question.question import Limits, Question
from tiler.question.result import Stop
from tiler.render import viewer

MOST_PUZZLES = 50  #: the most sets of pieces with which the page can go on
MOST_STEPS = 3_000  #: the most steps of a search that are shown
STEPS_SECONDS = 10.0  #: the longest search of which steps are shown
INSTALL = "; install with"  #: in a sentence about a package that is missing
MOST_TILINGS = 20_000  #: the most tilings that are listed
#: Those that ask questions.
FUNCTIONS: Mapping[str, Any] = {**vars(functions), **extensions.offered()}
_PART = 200  #: tilings in a part of a list
_PART_SECONDS = 0.25  #: the longest time for which tilings found are kept back
_PROGRESS_SECONDS = 0.2  #: between two events of progress
_SHARE_OF_MEMORY = 0.5  #: of what is free that a question may use if nothing else is said
_MOST_PICTURE = 2_000_000  #: characters of a picture that the page is sent

#: Parameters that no page may set: files of the machine, other machines; and those that the problem says.
_NOT_OFFERED = ("executor", "records", "proofs", "reflections", "lattice", "turning", "mates")
_IN_PAGE = sys.platform == "emscripten"
#: What is raised where something is missing that no web page has: packages, processes, threads, and more than 2 GB of memory.
_ABSENT: tuple[type[Exception], ...] = (MissingDependency, MemoryError, ImportError, OSError, RuntimeError) if _IN_PAGE else ()
_FAILURES: tuple[type[Exception], ...] = (TilerError, MemoryError, RecursionError, *_ABSENT)
Emit = Callable[[Event], None]


@dataclass(frozen=True)
class _Known:
    """What the answer to a question says."""

    status: str
    sentences: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    stop: str = str(Stop.DONE)


class Limited(NamedTuple):
    """How long a question may take, and what says meanwhile whether to go on."""

    seconds: float | None = None
    going_on: Callable[[], bool] = lambda: True


UNLIMITED = Limited()


@dataclass
class _Asked:
    """A question under way."""

    instance: Instance
    id: str
    name: str
    arguments: Data
    laid: Sequence[LaidTileMessage]
    emit: Emit
    limited: Limited
    started: float = field(default_factory=time.monotonic)
    last_told: float = 0.0
    found: int = 0

    def tell(self, progress: Progress) -> bool:
        """Emit how far it is, not too often; and say whether to go on."""
        now = time.monotonic()
        if now - self.last_told >= _PROGRESS_SECONDS:
            self.last_told = now
            found = max(progress.found, self.found)
            share = "" if progress.fraction is None else f", {100 * progress.fraction:.0f} % of the tree"
            words = progress.where or f"{counted(progress.nodes, 'node')}, {counted(found, 'tiling')} found{share}"
            self.emit(ProgressMessage(self.id, words, int(progress.nodes), str(found), round(now - self.started, 3)))
        return self.limited.going_on()

    def call(self, *first: Any) -> Any:
        """Call the function of the question."""
        return FUNCTIONS[self.name](*first, **self.capped, progress=self.tell)

    @property
    def capped(self) -> Data:
        """The arguments with a limit of memory, so that no question takes the whole machine; and with the lesser of two times."""
        allowed = [seconds for seconds in (self.limited.seconds, self.arguments.get("seconds")) if seconds is not None]
        seconds = {"seconds": min(allowed)} if allowed else {}
        return {"memory": megabytes_beside(_SHARE_OF_MEMORY), **self.arguments, **seconds}


@cache
def offered() -> tuple[FormMessage, ...]:
    """The questions that the page offers, from their declarations."""
    made = []
    for form in forms():
        if form.about == "problems":
            continue
        parameters = [
            read(ParameterMessage, {**asdict(parameter), "default": _plain(parameter.default)})
            for parameter in form.parameters
            if parameter.name not in _NOT_OFFERED and parameter.kind != "path"
        ]
        made.append(read(FormMessage, {**asdict(form), "parameters": list(map(to_json, parameters))}))
    return (*made, _steps_form(made))


def _steps_form(others: Sequence[FormMessage]) -> FormMessage:
    """The form of the steps of a search, which in a terminal are an option of `solve`."""
    solver = next(one for form in others if form.name == "solve" for one in form.parameters if one.name == "solver")
    traced = tuple(sorted(name for name in ("dlx", "backtracking")))
    help = "Play the steps of a search for a tiling: which cell it looks at, what fits there, and where it goes back."
    return FormMessage("steps", help, "problem", (replace(solver, choices=traced, default=STEPS_SOLVER),))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def form_of(question: str) -> FormMessage:
    """The form of that name; InputError if there is none."""
    found = {form.name: form for form in offered()}
    if question not in found:
        raise InputError(f"question: there is no {question[:40]!r}{suggest(question, found)}; there are {', '.join(found)}")
    return found[question]


def ask(
    instance: Instance,
    id: str,
    question: str,
    parameters: Data,
    laid: Sequence[LaidTileMessage],
    emit: Emit,
    limited: Limited = UNLIMITED,
) -> None:
    """Answer a question; the last event is the answer, or says why there is none."""
    started = time.monotonic()
    arguments: Data = {}
    try:
        arguments = _arguments(form_of(question), parameters)
        asked = _Asked(with_laid(instance, laid), id, question, arguments, laid, emit, limited)
        try:
            known = _WAYS[question](asked)
        except Unfinished as unfinished:
            found = (f"at least {counted(unfinished.found, 'tiling')}",) if unfinished.found else ()
            known = _Known("unknown", (str(unfinished), *found), stop=str(unfinished.stop))
    except _FAILURES as error:
        said = str(error) or "the memory is exhausted"
        if isinstance(error, _ABSENT) or (_IN_PAGE and INSTALL in said):
            said = elsewhere(said, command_of(instance, question, arguments))
        emit(FailedMessage(id, said))
        return
    seconds = round(time.monotonic() - started, 3)
    command, python = command_of(instance, question, arguments), python_of(instance, question, arguments)
    emit(AnswerMessage(id, question, known.status, known.sentences, known.blocks, command, python, seconds, known.stop))


def elsewhere(said: str, command: str) -> str:
    """The sentence for what no page can do.

    >>> elsewhere("sat needs pysat; install with: pip install x", "tiler solve problem.json --solver sat")
    'sat needs pysat: not in this page; in a terminal: tiler solve problem.json --solver sat'
    """
    return f"{said.partition(INSTALL)[0]}: not in this page; in a terminal: {command}"


def _arguments(form: FormMessage, parameters: Data) -> Data:
    """The arguments that differ from the defaults; InputError for one that the form does not have."""
    known = {parameter.name: parameter for parameter in form.parameters}
    for name in parameters:
        if name not in known:
            there = f"; there are {', '.join(known)}" if known else ""
            raise InputError(f"{form.name}: there is no parameter {name[:40]!r}{suggest(name, known)}{there}")
    missing = [name for name, parameter in known.items() if parameter.is_required and parameters.get(name) is None]
    if missing:
        raise InputError(f"{form.name}: say {missing[0]}: {known[missing[0]].help}")
    return {name: value for name, value in parameters.items() if value != known[name].default}


def _solve(asked: _Asked) -> _Known:
    answer = asked.call(asked.instance)
    sentences = [answer.message] if answer.message else []
    if answer.value is not None:
        best = "the most possible" if answer.value == answer.bound else f"at most {answer.bound:,} is possible"
        sentences.insert(0, f"the tiling weighs {answer.value:,}; {best}")
    if answer.tiling is None:
        none = "there is no tiling" if answer.status == "unsat" else "no tiling was found"
        return _Known(answer.status, (none, *sentences), stop=str(answer.stop))
    block = TilingsBlockMessage(None, (_tiling(asked.instance, answer.tiling),), complete=False)
    return _Known(answer.status, tuple(sentences), (block, *_views(asked.instance, [answer.tiling])), str(answer.stop))


def _count(asked: _Asked) -> _Known:
    number = asked.call(asked.instance)
    up_to = " up to symmetry" if asked.arguments.get("up_to_symmetry") else ""
    return _Known("sat" if number else "unsat", (f"{counted(number, 'tiling')}{up_to}",), (TextBlockMessage(str(number)),))


def _tilings(asked: _Asked) -> _Known:
    """The tilings are emitted in parts, while they are found."""
    part: list[tuple[LaidTileMessage, ...]] = []
    sent_at = time.monotonic()
    limit, is_complete = asked.arguments.get("limit"), True
    for tiling in asked.call(asked.instance):
        if asked.found == MOST_TILINGS:
            is_complete = False
            break
        asked.found += 1
        part.append(_tiling(asked.instance, tiling))
        if len(part) == _PART or time.monotonic() - sent_at > _PART_SECONDS:
            asked.emit(PartMessage(asked.id, tuple(part)))
            part, sent_at = [], time.monotonic()
    if part:
        asked.emit(PartMessage(asked.id, tuple(part)))
    is_complete = is_complete and (limit is None or asked.found < limit)
    said = counted(asked.found, "tiling") + ("" if is_complete else "; there may be more")
    block = TilingsBlockMessage(str(asked.found) if is_complete else None, (), is_complete)
    stop = Stop.DONE if is_complete else Stop.SOLUTIONS
    return _Known("sat" if asked.found else "unsat", (said,), (block,), str(stop))


def _sample(asked: _Asked) -> _Known:
    drawn = asked.call(asked.instance)
    if not drawn:
        return _Known("unsat", ("there is no tiling",))
    block = TilingsBlockMessage(None, tuple(_tiling(asked.instance, tiling) for tiling in drawn), complete=False)
    return _Known("sat", (f"{counted(len(drawn), 'tiling')} at random",), (block, *_views(asked.instance, drawn)))


def _prove(asked: _Asked) -> _Known:
    proof = asked.call(asked.instance)
    sentences = tuple(filter(None, (proof.verdict, proof.sentence)))
    tilings = (
        () if proof.tiling is None else (TilingsBlockMessage(None, (_tiling(asked.instance, proof.tiling),), complete=False),)
    )
    text = () if proof.certificate is not None or proof.tiling is not None else (TextBlockMessage(str(proof)),)
    return _Known(proof.status, sentences, (*_picture(proof, proof.sentence), *tilings, *text), str(proof.stop))


def _by_cell(asked: _Asked) -> _Known:
    uses = asked.call(asked.instance)
    blocks = (*_picture(uses, "how often each tile covers each cell"), TextBlockMessage(str(uses)))
    return _Known("sat" if uses.tilings else "unsat", (counted(uses.tilings, "tiling"),), blocks)


def _by_open(asked: _Asked) -> _Known:
    counts = asked.call(asked.instance)
    said = [counted(counts.tilings, "tiling")]
    if counts.is_complete:
        without = len(counts.without)
        said.append(f"{without:,} of {counted(len(counts), 'set')} of open cells have none" if without else "every set has one")
    cells: tuple[Block, ...] = ()
    if counts and all(len(key) == 1 for key in counts):
        values = tuple((key[0], str(number)) for key, number in counts.items())
        cells = (CellsBlockMessage(values, "tilings that leave this cell open"),)
    blocks = (*cells, *_picture(counts, "tilings by the cells that stay open"), TextBlockMessage(str(counts)))
    return _Known("sat" if counts.tilings else "unsat", tuple(said), blocks)


def _unique(asked: _Asked) -> _Known:
    puzzle = asked.call(asked.instance)
    fixed = tuple(painting.laid(asked.instance, placement, locked=True) for placement in puzzle.fixed)
    rest = _tiling(asked.instance, (piece for piece in puzzle.solution if piece not in puzzle.fixed))
    blocks: tuple[Block, ...] = (*_picture(puzzle, "the puzzle"), TilingsBlockMessage("1", ((*fixed, *rest),), True))
    blocks = (*blocks, _puzzle(puzzle.instance, "The puzzle, with one tiling"))
    return _Known("sat", (puzzle.given,), (*blocks, TextBlockMessage(str(puzzle))))


def _choose(asked: _Asked) -> _Known:
    """The sets of pieces that fill the board; the page can go on with each."""
    sets = asked.call(asked.instance)
    text = str(sets)
    puzzles = [
        _puzzle(one.instance, f"{' '.join(one.pieces)}: {counted(one.tilings, 'tiling')}") for one in [*sets][:MOST_PUZZLES]
    ]
    return _Known("sat" if len(sets) else "unsat", (text.rpartition("\n")[2],), (*puzzles, TextBlockMessage(text)))


def _puzzle(instance: Instance, caption: str) -> PuzzleBlockMessage:
    laid = tuple(painting.laid(instance, placement, locked=True) for placement in placed(instance))
    return PuzzleBlockMessage(caption, plain_json.loads(json.write(without_placed(instance))), laid)


def _steps(asked: _Asked) -> _Known:
    """The steps of a search for one tiling, to be played."""
    steps: list[viewer.Step] = []

    def keep(stack: Sequence[Placement], cell: object) -> None:
        if len(steps) < MOST_STEPS:
            steps.append(viewer.Step(tuple(stack), cell))

    spec = parse_spec(asked.arguments.get("solver", STEPS_SOLVER))
    limits = Limits(min(STEPS_SECONDS, asked.capped.get("seconds", STEPS_SECONDS)), asked.capped["memory"], threads=1)
    answer = solve(asked.instance, spec, Question(limits=limits), on_node=keep, on_tick=asked.tell)
    more = "" if len(steps) < MOST_STEPS else "; only these are shown"
    said = f"{counted(len(steps), 'step')} of a search by {spec.name}{more}"
    shown = (ViewerBlockMessage(viewer.search(asked.instance, steps)),) if steps else ()
    return _Known(str(answer.result.status), tuple(filter(None, (said, answer.result.message))), shown, str(answer.result.stop))


def _hint(asked: _Asked) -> _Known:
    hint = asked.call(asked.instance)
    placed = (
        ()
        if hint.placement is None
        else (TilingsBlockMessage(None, (_tiling(asked.instance, [hint.placement]),), complete=False),)
    )
    return _Known(hint.status, (str(hint).partition("\n")[0],), placed)


def _apart(asked: _Asked) -> _Known:
    """Take the pieces laid apart, if they fill the board; else those of a tiling that has them and comes apart, if any does."""
    arguments = asked.capped
    limits = {name: arguments[name] for name in ("seconds", "memory") if name in arguments}
    answer = functions.solve(asked.instance, progress=asked.tell, **limits)
    if answer.tiling is None:
        return _Known(answer.status, ("there is no tiling to take apart",), stop=str(answer.stop))
    taken = answer.tiling.apart(**arguments, progress=asked.tell)
    if not taken.comes_apart:
        other = functions.solve(asked.instance, features=["takes-apart"], progress=asked.tell, **limits)
        if other.tiling is not None:
            taken = other.tiling.apart(**arguments, progress=asked.tell)
    shown = viewer.data(asked.instance, [taken.tiling])
    data = {**shown, "moves": viewer.moves(asked.instance, taken.tiling, taken.stages())}
    return _Known(
        "sat" if taken.comes_apart else "unsat", (taken.verdict,), (ViewerBlockMessage(data), TextBlockMessage(str(taken)))
    )


def _estimate(asked: _Asked) -> _Known:
    found = asked.call(asked.instance)
    table, _, about = in_words(found).rpartition("\n\n")
    return _Known("done", (" ".join(about.split()),), (TextBlockMessage(table),) if table else ())


def _about_tiles(asked: _Asked) -> _Known:
    """A question about the tiles of the problem, in any number of copies."""
    instance = asked.instance
    if asked.name != "plane" and (instance.is_painted or not all(tile.lattice.has_boxes for tile in instance.tiles)):
        raise InputError(f"{asked.name}: it takes tiles without colours or marks, of squares or cubes")
    arguments = asked.capped
    first = [arguments.pop("board")] if asked.name == "series" else []
    settings: Data = {"reflections": instance.reflections}
    if asked.name == "plane":
        settings["lattice"] = instance.tiles[0].lattice.name if instance.tiles else instance.lattice.name
    if asked.name in ("plane", "series"):
        settings["turning"] = instance.turning
    tiles = [replace(tile, at_least=0, at_most=None) for tile in instance.distinct_tiles]
    return _printed(FUNCTIONS[asked.name](*first, *tiles, **settings, **arguments, progress=asked.tell))


def _printed(answer: Any) -> _Known:
    text = str(answer)
    stop = str(getattr(answer, "stop", None) or Stop.DONE)
    return _Known("done", (text.partition("\n")[0],), (*_picture(answer, ""), TextBlockMessage(text)), stop)


_WAYS: Mapping[str, Callable[[_Asked], _Known]] = {
    **{"solve": _solve, "count": _count, "tilings": _tilings, "sample": _sample, "prove": _prove, "uses": _by_cell},
    **{
        "by_open": _by_open,
        "estimate": _estimate,
        "choose": _choose,
        "steps": _steps,
        "unique": _unique,
        "hint": _hint,
        "apart": _apart,
    },
    **dict.fromkeys(("rectangles", "plane", "series"), _about_tiles),
}


def _tiling(instance: Instance, tiling: Iterable[Placement]) -> tuple[LaidTileMessage, ...]:
    return tuple(painting.laid(instance, placement) for placement in tiling)


def _views(instance: Instance, tilings: Sequence[Tiling]) -> tuple[Block, ...]:
    """The view that can be turned, of tilings in space."""
    if instance.dimension == 2:
        return ()
    return (ViewerBlockMessage(viewer.data(instance, [tiling.placements for tiling in tilings])),)


def _picture(answer: Any, caption: str) -> tuple[Block, ...]:
    draw = getattr(answer, "_repr_svg_", None)
    svg = None if draw is None else draw()
    return () if not svg or len(svg) > _MOST_PICTURE else (PictureBlockMessage(svg, caption),)
