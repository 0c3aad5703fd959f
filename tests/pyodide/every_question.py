"""Ask every question that the studio offers, with each parameter and each solver in turn; print a line for each answer.

    python every_question.py

Runs in Pyodide, and natively beside it. First it plays: a line for each move, by a diagram and by a list of tilings. A line of a
question is the problem, the question, its parameters, and the answer: the status, the sentences and the texts; or "refused" and
the sentence.
"""

import json
import re
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import tiler
from tiler.api.forms import solver_forms
from tiler.apps.studio import painting, questions
from tiler.apps.studio.catalogue_messages import FormMessage, ParameterMessage
from tiler.apps.studio.engine import Engine, document_of
from tiler.apps.studio.message_json import dumps
from tiler.apps.studio.messages import AnswerMessage, Event, FailedMessage, PartMessage, TextBlockMessage
from tiler.ask.features.predicates import FEATURES
from tiler.model.instance import Instance

PROBLEMS: dict[str, Callable[[], Instance]] = {
    "4x4": lambda: tiler.make("4x4", "2", "2:3I", reflections=True),
    "mutilated": lambda: tiler.make(".xxx/xxxx/xxxx/xxx.", "2"),
    "cubes": lambda: tiler.make("2x2x3", "3L", "3I"),
    "hexagons": lambda: tiler.make("hex:2", "dihexes", open="1"),
    "colours": lambda: tiler.problems("colours/checkered-trominoes-4x3_s")[0],
    "burr": lambda: tiler.problems("burrs/piston_s")[0],
    "L": lambda: tiler.make("2x6", "3L"),
    "hexagonal L": lambda: tiler.make("hex:2", "trihexes", open="1"),
}
USUAL = ("4x4", "mutilated", "cubes", "hexagons", "colours")
#: The problems that some questions are about; the others are about the usual ones.
ABOUT = {
    "apart": ("cubes", "burr"),
    "plane": ("L", "hexagonal L"),
    **dict.fromkeys(("rectangles", "series"), ("L",)),
    **dict.fromkeys(("unique", "choose", "hint"), ("4x4",)),
}
#: What a question needs, and bounds that keep it short.
GIVEN: dict[str, dict[str, Any]] = {
    "choose": {"pieces": 3, "pool": ["1:trominoes", "1:tetrominoes"], "limit": 2, "seconds": 60},
    "series": {"board": "2xn", "terms": 5},
    "rectangles": {"up_to": 5},
    "plane": {"up_to": 12},
    "estimate": {"samples": 50},
}
_VALUES: dict[str, tuple[object, ...]] = {
    "seconds": (60.0,),
    "megabytes": (900,),
    "count": (2,),
    "natural": (3,),
}
#: What says how long something took, or how much memory there was; and the space that numbers of other widths leave.
_MEASURED = re.compile(r"[\d.,]+ (?:s|ms|µs|ns|min|kB|MB|GB)\b|\s+")


def values(parameter: ParameterMessage) -> tuple[object, ...]:
    """The values that are tried; none for one that is always given."""
    if parameter.kind == "flag":
        return (not parameter.default,)
    if parameter.name == "solver":
        return parameter.choices or tuple(solver.name for solver in solver_forms())
    if parameter.kind == "features":
        return tuple([name] for name in FEATURES)
    return parameter.choices or _VALUES.get(parameter.kind, ())


def cases(form: FormMessage) -> Iterator[dict[str, Any]]:
    """The parameters of each time that a question is asked."""
    given = GIVEN.get(form.name, {})
    yield given
    for parameter in form.parameters:
        for value in values(parameter):
            rest = {name: other for name, other in given.items() if name not in parameter.excludes}
            yield {**rest, parameter.name: value}


def answer(instance: Instance, question: str, parameters: dict[str, Any]) -> list[str]:
    """What the studio says."""
    events: list[Event] = []
    try:
        questions.ask(instance, "1", question, parameters, (), events.append)
    except Exception:
        return ["broken", traceback.format_exc()]
    last = events[-1]
    if isinstance(last, FailedMessage):
        return ["refused", last.error]
    assert isinstance(last, AnswerMessage)
    listed = sum(len(event.tilings) for event in events if isinstance(event, PartMessage))
    texts = [block.text for block in last.blocks if isinstance(block, TextBlockMessage)]
    return [last.status, *(_MEASURED.sub(" ", text) for text in (*last.sentences, *texts)), str(listed)]


def moves(instance: Instance) -> Iterator[list[Any]]:
    """What the studio says after moves, by a diagram and by a list of tilings: the pieces of a tiling, one after the other."""
    tiling = next(iter(tiler.tilings(instance)), ())
    for lists in (False, True):
        engine = Engine()
        engine.open(document_of(instance))
        if lists and engine._live is not None:
            engine._live.diagram = lambda *limits: None  # type: ignore[method-assign]
        for number in range(len(tuple(tiling)) + 1):
            laid = tuple(painting.laid(instance, placement) for placement in tuple(tiling)[:number])
            told = engine.lay(number, laid)
            better = engine.prepare(lambda: True)
            yield [lists, number, *(replace(one, seconds=0.0) for one in (told, better.answer if better else told))]


def main() -> None:
    for name in USUAL:
        for move in moves(PROBLEMS[name]()):
            print(dumps([name, "play", {}, *move]), flush=True)
    for form in questions.offered():
        for name in ABOUT.get(form.name, USUAL):
            for parameters in cases(form):
                said = answer(PROBLEMS[name](), form.name, parameters)
                print(json.dumps([name, form.name, parameters, *said]), flush=True)


if __name__ == "__main__":
    main()
