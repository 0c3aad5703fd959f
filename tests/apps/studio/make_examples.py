"""Make the examples of messages that the tests of both sides read; run as a program it writes them into the folder `examples`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tiler
from tiler.apps.studio import campaign_messages, campaigns, geometry, message_json, messages, naming
from tiler.apps.studio.engine import Engine, document_of, instance_of
from tiler.apps.studio.messages import LaidTileMessage
from tiler.apps.studio.results import ResultsService
from tiler.bench import store
from tiler.model.lattices import LATTICES

sys.path.insert(0, str(Path(__file__).parents[2]))
import records

FOLDER = Path(__file__).parent / "examples"


def examples() -> Iterator[tuple[str, Any]]:
    """The name of each example with its message."""
    yield "lattices", [geometry.lattice_message(lattice) for lattice in LATTICES.values()]
    pentominoes = tiler.make("6x10", "1:pentominoes")
    yield from _played("pentominoes", document_of(pentominoes), 2)
    yield from _played("hexagonal", _called("hexagonal/polyhexes-34-trilobed-crown-1_s"), 1)
    yield from _played("cube", document_of(tiler.make("3x3x3", "1:soma")), 1)
    yield from _played("spheres", _called("spheres/pyramid-pairs-4_s"), 1)
    yield from _played("calendar", _calendar(), 1)
    yield from _impossible()
    yield from _asked()
    yield from _compared()
    yield "tiles", naming.tiles("1:pentominoes 2:4T", "")
    yield "board", naming.board("hex:2", "hexagonal")
    yield "read", naming.read_text("heart.txt", b"5x3\n\n1:5P\n\n1:5U\n\n1:5V\n")
    catalogue = naming.catalogue()
    few = replace(
        catalogue,
        version="0",
        problems=catalogue.problems[:3],
        sets=catalogue.sets[:3],
        solvers=tuple(replace(solver, installed=True, source="") for solver in catalogue.solvers[:2]),
    )
    yield "catalogue", few
    yield "failed", messages.FailedMessage("1", "solver: there is no 'dlxx'")
    yield "gone", messages.GoneMessage("the engine has ended; it starts again with the next move")
    yield "counted", messages.CountedMessage(_laid(document_of(tiler.make("4x4", "2")), ()))
    yield "progress", messages.ProgressMessage("1", "1,000 nodes, 3 tilings found", 1000, "3", 0.4)


def counted(engine: Engine, revision: int, laid: Sequence[LaidTileMessage]) -> messages.LaidMessage:
    """The answer to a move, with the numbers that come later where the machine has much to do."""
    first = engine.lay(revision, laid)
    later = engine.prepare(lambda: True)
    return replace(first if later is None else later.answer, seconds=0.0)


def _called(name: str) -> dict[str, Any]:
    return document_of(tiler.problems(name)[0])


def _played(name: str, problem: dict[str, Any], pieces: int) -> Iterator[tuple[str, Any]]:
    engine = Engine()
    yield f"{name}.open", messages.OpenMessage("session-1", problem)
    yield f"{name}.opened", engine.open(problem)
    tiling = next(tiler.tilings(instance_of(problem)), ())
    laid = tuple(LaidTileMessage(piece.tile, tuple(sorted(piece.cells))) for piece in list(tiling)[:pieces])
    yield f"{name}.lay", messages.LayMessage("session-1", 1, laid)
    yield f"{name}.laid", counted(engine, 1, laid)


def _calendar() -> dict[str, Any]:
    """A small calendar: two months and three days, of which one of each stays open."""
    board = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]]
    labels = [*zip(board[:2], ("jan", "feb"), strict=True), *zip(board[2:], ("1", "2", "3"), strict=True)]
    return {
        "schema": "tiler-instance-1",
        "board": board,
        "optional": board,
        "labels": [{"cell": cell, "label": label} for cell, label in labels],
        "groups": [{"name": "month", "cells": board[:2]}, {"name": "day", "cells": board[2:]}],
        "tiles": [{"name": "V", "cells": [[0, 0], [0, 1], [1, 0]], "at_most": 1}],
        "title": "A small calendar",
    }


def _impossible() -> Iterator[tuple[str, Any]]:
    """The board without two opposite corners, by dominoes; pieces that are too many; a cell that nothing covers."""
    mutilated = frozenset((row, column) for row in range(8) for column in range(8)) - {(0, 0), (7, 7)}
    problem = document_of(tiler.make(mutilated, "2"))
    yield "mutilated.opened", _opened(problem)
    yield "mutilated.laid", _laid(problem, ())
    yield "area.opened", _opened(document_of(tiler.make("3x3", "2")))
    yield "area.laid", _laid(document_of(tiler.make("3x3", "2")), ())
    yield "cell.laid", _laid(document_of(tiler.make("4x1", "2")), (LaidTileMessage("2", ((0, 1), (0, 2))),))


def _opened(problem: dict[str, Any]) -> messages.OpenedMessage:
    return Engine().open(problem)


def _laid(problem: dict[str, Any], laid: tuple[LaidTileMessage, ...]) -> messages.LaidMessage:
    engine = Engine()
    engine.open(problem)
    return counted(engine, 1, laid)


def _asked() -> Iterator[tuple[str, Any]]:
    """The events of some questions."""
    problems = {
        "count": (tiler.make("4x4", "2"), {"up_to_symmetry": True}),
        "tilings": (tiler.make("4x4", "2"), {"limit": 3}),
        "prove": (tiler.make("6x6", "4L"), {}),
        "by_open": (tiler.make("5x1", "2", open=1), {}),
        "solve": (tiler.make("2x2x2", "2"), {}),
    }
    for question, (instance, parameters) in problems.items():
        engine = Engine()
        engine.open(document_of(instance))
        events: list[messages.Event] = []
        yield f"{question}.ask", messages.AskMessage("session-1", question, parameters)
        engine.ask("1", question, parameters, (), events.append)
        told = [event for event in events if not isinstance(event, messages.ProgressMessage)]
        yield (
            f"{question}.events",
            [replace(event, seconds=0.0) if isinstance(event, messages.AnswerMessage) else event for event in told],
        )


def _compared() -> Iterator[tuple[str, Any]]:
    """A campaign, who refuses it, and what is known of it."""
    asked = campaign_messages.CampaignMessage("first", ("4L/02x06_u", "classic/soma_s"), ("dlx", "matching"), title="The first")
    yield "first.campaign", asked
    yield "first.refusals", campaigns.refused(asked)
    forms = campaigns.forms().solvers
    yield "solvers.forms", campaign_messages.SolverFormsMessage(tuple(form for form in forms if form.name in ("dlx", "matching")))
    with TemporaryDirectory() as place:
        root = Path(place)
        for name in ("before", "after"):
            (root / name).mkdir()
            lines = [json.dumps({**each, "started": "2026-01-01T00:00:00Z"}) for each in records.campaign()[:12]]
            (root / name / store.RUNS).write_text("".join(f"{line}\n" for line in lines))
        service = ResultsService(root, root / "none")
        yield "first.results", replace(service.handle("results", {"name": "before"}), name="first", version="1", seconds=0.0)
        yield "two.document", service.handle("compare", {"before": "before", "after": "after"})


def text_of(message: Any) -> str:
    """The content of the file of an example."""
    return message_json.dumps(message) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for example, made in examples():
        (FOLDER / f"{example}.json").write_text(text_of(made), encoding="utf-8")
