"""Ask the questions of Tiler for the page: list them from their declarations, answer one with what is known meanwhile, and say
which command and which lines of Python do the same."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

from tiler.amounts import counted
from tiler.door import functions, tiles
from tiler.door.answers.tiling import Tiling
from tiler.door.call_errors import OFFERED
from tiler.door.forms import forms
from tiler.errors import InputError, TilerError, Unfinished, suggest
from tiler.model import text_maps
from tiler.model.instance import Instance
from tiler.model.letter_names import name_of
from tiler.model.tile import Placement, Tile
from tiler.question.events import Progress
from tiler.question.parameters import options_of
from tiler.question.result import Stop
from tiler.render import disassembly_steps, viewer
from tiler.studio.catalogue_messages import FormMessage, ParameterMessage
from tiler.studio.live import with_laid
from tiler.studio.message_json import read, to_json
from tiler.studio.messages import (
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
    TextBlockMessage,
    TilingsBlockMessage,
    ViewerBlockMessage,
)

MOST_TILINGS = 20_000  #: the most tilings that are listed
FUNCTIONS: Mapping[str, Any] = {**vars(functions), **vars(tiles)}  #: those that ask questions
FILE = "problem.json"  #: the name of the saved problem, pieces laid included, in commands and in Python
_PART = 200  #: tilings in a part of a list
_PART_SECONDS = 0.25  #: the longest time for which tilings found are kept back
_PROGRESS_SECONDS = 0.2  #: between two events of progress
_MOST_PICTURE = 2_000_000  #: characters of a picture that the page is sent

#: The words of the command that asks a question.
_COMMANDS = {
    **{"solve": "solve", "count": "count", "tilings": "solve", "uses": "count --by-cell", "by_open": "count --by-open"},
    **{name: name for name in ("sample", "prove", "estimate", "unique", "choose", "hint", "apart")},
    **{name: name for name in ("rectangles", "plane", "series")},
}
#: Parameters that no page may set: files of the machine, other machines; and those that the problem says.
_NOT_OFFERED = ("executor", "records", "proofs", "reflections", "lattice", "turning", "mates")
#: Parameters that the command does not have.
_NOT_IN_COMMAND = {
    "estimate": ("memory",),
    "unique": ("memory",),
    "choose": ("memory",),
    **dict.fromkeys(("rectangles", "plane", "series"), ("seconds", "memory")),
}

Emit = Callable[[Event], None]


@dataclass(frozen=True)
class _Known:
    """What the answer to a question says."""

    status: str
    sentences: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    stop: str = str(Stop.DONE)


@dataclass
class _Asked:
    """A question under way."""

    instance: Instance
    id: str
    name: str
    arguments: Data
    laid: Sequence[LaidTileMessage]
    emit: Emit
    started: float = field(default_factory=time.monotonic)
    last_told: float = 0.0
    found: int = 0

    def tell(self, progress: Progress) -> bool:
        """Emit how far it is, not too often; it never ends the search."""
        now = time.monotonic()
        if now - self.last_told >= _PROGRESS_SECONDS:
            self.last_told = now
            found = max(progress.found, self.found)
            share = "" if progress.fraction is None else f", {100 * progress.fraction:.0f} % of the tree"
            words = progress.where or f"{counted(progress.nodes, 'node')}, {counted(found, 'tiling')} found{share}"
            self.emit(ProgressMessage(self.id, words, int(progress.nodes), str(found), round(now - self.started, 3)))
        return True

    def call(self, *first: Any, **more: Any) -> Any:
        """Call the function of the question."""
        return FUNCTIONS[self.name](*first, **more, **self.arguments, progress=self.tell)


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
    return tuple(made)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def form_of(question: str) -> FormMessage:
    """The form of that name; InputError if there is none."""
    found = {form.name: form for form in offered()}
    if question not in found:
        raise InputError(f"question: there is no {question[:40]!r}{suggest(question, found)}; there are {', '.join(found)}")
    return found[question]


def ask(instance: Instance, id: str, question: str, parameters: Data, laid: Sequence[LaidTileMessage], emit: Emit) -> None:
    """Answer a question; the last event is the answer, or says why there is none."""
    started = time.monotonic()
    try:
        arguments = _arguments(form_of(question), parameters)
        asked = _Asked(with_laid(instance, laid), id, question, arguments, laid, emit)
        try:
            known = _WAYS[question](asked)
        except Unfinished as unfinished:
            found = (f"at least {counted(unfinished.found, 'tiling')}",) if unfinished.found else ()
            known = _Known("unknown", (str(unfinished), *found), stop=str(unfinished.stop))
    except (TilerError, MemoryError, RecursionError) as error:
        emit(FailedMessage(id, str(error) or "the memory is exhausted"))
        return
    seconds = round(time.monotonic() - started, 3)
    command, python = command_of(instance, question, arguments), python_of(instance, question, arguments)
    emit(AnswerMessage(id, question, known.status, known.sentences, known.blocks, command, python, seconds, known.stop))


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
    block = TilingsBlockMessage(None, (_tiling(answer.tiling),), complete=False)
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
        part.append(_tiling(tiling))
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
    block = TilingsBlockMessage(None, tuple(map(_tiling, drawn)), complete=False)
    return _Known("sat", (f"{counted(len(drawn), 'tiling')} at random",), (block, *_views(asked.instance, drawn)))


def _prove(asked: _Asked) -> _Known:
    proof = asked.call(asked.instance)
    sentences = tuple(filter(None, (proof.verdict, proof.sentence)))
    tilings = () if proof.tiling is None else (TilingsBlockMessage(None, (_tiling(proof.tiling),), complete=False),)
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
    fixed = tuple(_laid(placement, locked=True) for placement in puzzle.fixed)
    blocks: tuple[Block, ...] = (
        *_picture(puzzle, "the puzzle"),
        TilingsBlockMessage("1", ((*fixed, *(_laid(piece) for piece in puzzle.solution if piece not in puzzle.fixed)),), True),
    )
    return _Known("sat", (puzzle.given,), (*blocks, TextBlockMessage(str(puzzle))))


def _hint(asked: _Asked) -> _Known:
    hint = asked.call(asked.instance)
    placed = () if hint.placement is None else (TilingsBlockMessage(None, ((_laid(hint.placement),),), complete=False),)
    return _Known(hint.status, (str(hint).partition("\n")[0],), placed)


def _apart(asked: _Asked) -> _Known:
    """Take the pieces laid apart, if they fill the board; else those of some tiling with them."""
    limits = {name: asked.arguments[name] for name in ("seconds", "memory") if name in asked.arguments}
    answer = functions.solve(asked.instance, progress=asked.tell, **limits)
    if answer.tiling is None:
        return _Known(answer.status, ("there is no tiling to take apart",), stop=str(answer.stop))
    taken = answer.tiling.apart(**asked.arguments, progress=asked.tell)
    stages = disassembly_steps.stages(taken.instance, taken.tiling, taken.found)
    shown = viewer.data(asked.instance, [taken.tiling])
    data = {**shown, "moves": viewer.moves(asked.instance, taken.tiling, stages)}
    return _Known(
        "sat" if taken.comes_apart else "unsat", (taken.verdict,), (ViewerBlockMessage(data), TextBlockMessage(str(taken)))
    )


def _with_text(asked: _Asked) -> _Known:
    """An answer that is shown as it prints itself."""
    return _printed(asked.call(asked.instance))


def _about_tiles(asked: _Asked) -> _Known:
    """A question about the tiles of the problem, in any number of copies."""
    instance = asked.instance
    if asked.name != "plane" and (instance.is_painted or not all(map(_is_usual, instance.tiles))):
        raise InputError(f"{asked.name}: it takes tiles without colours or marks, of squares or cubes")
    arguments = dict(asked.arguments)
    first = [arguments.pop("board")] if asked.name == "series" else []
    settings: Data = {"reflections": instance.reflections}
    if asked.name == "plane":
        settings["lattice"] = instance.tiles[0].lattice.name if instance.tiles else instance.lattice.name
    if asked.name in ("plane", "series"):
        settings["turning"] = instance.turning
    tiles = [replace(tile, at_least=0, at_most=None) for tile in instance.distinct_tiles]
    return _printed(FUNCTIONS[asked.name](*first, *tiles, **settings, **arguments, progress=asked.tell))


def _is_usual(tile: Tile) -> bool:
    return bool(tile.lattice.has_boxes)


def _printed(answer: Any) -> _Known:
    text = str(answer)
    stop = str(getattr(answer, "stop", None) or Stop.DONE)
    return _Known("done", (text.partition("\n")[0],), (*_picture(answer, ""), TextBlockMessage(text)), stop)


_WAYS: Mapping[str, Callable[[_Asked], _Known]] = {
    **{"solve": _solve, "count": _count, "tilings": _tilings, "sample": _sample, "prove": _prove, "uses": _by_cell},
    **{"by_open": _by_open, "estimate": _with_text, "choose": _with_text, "unique": _unique, "hint": _hint, "apart": _apart},
    **dict.fromkeys(("rectangles", "plane", "series"), _about_tiles),
}


def _laid(placement: Placement, *, locked: bool = False) -> LaidTileMessage:
    return LaidTileMessage(placement.tile, tuple(sorted(placement.cells)), locked)


def _tiling(tiling: Iterable[Placement]) -> tuple[LaidTileMessage, ...]:
    return tuple(map(_laid, tiling))


def _views(instance: Instance, tilings: Sequence[Tiling]) -> tuple[Block, ...]:
    """The view that can be turned, of tilings in space."""
    if instance.dimension == 2:
        return ()
    return (ViewerBlockMessage(viewer.data(instance, [tiling.placements for tiling in tilings])),)


def _picture(answer: Any, caption: str) -> tuple[Block, ...]:
    draw = getattr(answer, "_repr_svg_", None)
    svg = None if draw is None else draw()
    return () if not svg or len(svg) > _MOST_PICTURE else (PictureBlockMessage(svg, caption),)


def command_of(instance: Instance, question: str, arguments: Data) -> str:
    """The shell line that asks the same."""
    fields = OFFERED[question].fields
    words = ["tiler", *_COMMANDS[question].split()]
    if question == "tilings" and "limit" not in arguments:
        words.append("--all")
    if question in ("rectangles", "plane", "series"):
        words += [str(arguments["board"])] if question == "series" else []
        words += map(_word_of, instance.distinct_tiles)
        words += ["--reflections"] if instance.reflections else []
        words += [] if instance.turning or question == "rectangles" else ["--no-turning"]
        words += ["--lattice", instance.tiles[0].lattice.name] if question == "plane" and instance.tiles else []
    else:
        words.append(FILE)
    for name, value in arguments.items():
        if name in (*_NOT_IN_COMMAND.get(question, ()), "board"):
            continue
        if name == "features":
            words += [f"--{feature}" for feature in value]
        elif name == "pool":
            words += ["--from", *value]
        elif value is True or value is False:
            words.append(_option_of(fields[name]))
        else:
            words += [_option_of(fields[name]), str(value)]
    return shlex.join(words)


def python_of(instance: Instance, question: str, arguments: Data) -> str:
    """The three lines of Python that ask the same."""
    given = [f"{name}={value!r}" for name, value in arguments.items() if name != "board"]
    if question in ("rectangles", "plane", "series"):
        tiles = [repr(_word_of(tile)) for tile in instance.distinct_tiles]
        board = [repr(arguments["board"])] if question == "series" else []
        settings = ["reflections=True"] if instance.reflections else []
        settings += [] if instance.turning or question == "rectangles" else ["turning=False"]
        settings += [f"lattice={instance.tiles[0].lattice.name!r}"] if question == "plane" and instance.tiles else []
        return f"import tiler\nanswer = tiler.{question}({', '.join([*board, *tiles, *settings, *given])})\nprint(answer)"
    read_file = f'import tiler\nproblem = tiler.read("{FILE}")\n'
    if question == "apart":
        return f"{read_file}print(tiler.solve(problem).tiling.apart({', '.join(given)}))"
    call = f"tiler.{question}({', '.join(['problem', *given])})"
    if question in ("tilings", "sample"):
        return f"{read_file}print(*{call}, sep='\\n\\n')"
    return f"{read_file}print({call}{'.tiling' if question == 'solve' else ''})"


def _option_of(parameter: Any) -> str:
    """The long name of the option."""
    return next(option for option in options_of(parameter) if option.startswith("--"))


def _word_of(tile: Tile) -> str:
    """A tile as one word."""
    if not tile.paint:
        name = name_of(tile.shape, tile.lattice)
        if name is not None:
            return name
    return "/".join(text_maps.notation(tile.lattice, tile.shape).split("\n"))
