"""Make a tally by open cells from single counts: one count for each set of open cells. This is for tallies in which the areas of
the tiles do not bound the number of open cells. A search by states would have a state for every set of open cells there. The
number of sets may still be small.
"""

from __future__ import annotations

from dataclasses import replace

from tiler.ask import execution
from tiler.backends.base import Backend
from tiler.backends.frontier import Frontier
from tiler.backends.registry import parse_spec
from tiler.cover import open_sets
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.question.events import Events, Progress, Run, Running
from tiler.question.question import Goal, Portion, Question
from tiler.question.result import Result, Stop


def search(backend: Backend, cover: BoardCover, question: Question, run: Run) -> Running:
    """The events of all these counts, and their tally."""
    instance, number = cover.instance, open_sets.number_of_sets(cover)
    tally: dict[Portion, int] = {}
    nodes = 0
    # In the plane what is left is soon counted by states; to choose between searches would take longer.
    by = parse_spec(Frontier.name) if instance.dimension == 2 else backend
    for done, cells in enumerate(open_sets.sets(cover)):
        alone = BoardCover.of(instance.with_open(frozenset(cover.cells[cell] for cell in cells)), run.look)
        counting = replace(question, goal=Goal.COUNT, apart=(), limits=question.limits.after(nodes))
        with Events(execution.start(by, alone, counting, run)) as events:
            for event in events:
                if isinstance(event, Progress):
                    where = f"set {done:,} of {number:,}"
                    yield Progress(nodes + event.nodes, sum(tally.values()), done / number, where=where)
        result = events.result
        nodes += result.nodes
        if result.count is None:
            return Result.so_far(result.stop, found=sum(tally.values()), nodes=nodes, message=result.message)
        if result.count:
            tally[Portion(open=cells)] = result.count
    total = sum(tally.values())
    status = Status.SAT if total else Status.UNSAT
    return Result(status, Stop.DONE, total, total, tally=tally, nodes=nodes, stats={"single_counts": number})
