"""All tilings of an instance as one diagram, within limits."""

from __future__ import annotations

import time
from collections.abc import Callable

from tiler.backends.frontier import Frontier
from tiler.cover.board import BoardCover
from tiler.cover.diagram import Diagram
from tiler.cover.pins import without_colours
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.limit_watch import Watch
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop


def whole(
    instance: Instance,
    limits: Limits,
    backend: Frontier | None = None,
    on_tick: Callable[[Progress], bool] = lambda progress: True,
) -> tuple[BoardCover, Diagram] | Result:
    """The cover of an instance and the diagram of its tilings; a result that says why if a limit is reached first, or `on_tick`
    says False.

    It takes the states of a count, all kept at a time: time and memory are those of counting by cell. BadOption if the backend
    cannot count by cell there.
    """
    backend = Frontier() if backend is None else backend
    watch = Watch(limits, time.perf_counter())
    nodes = 0

    def check_stop() -> None:
        if not on_tick(Progress(nodes)):
            raise Stopped(Stop.INTERRUPTED)
        watch.check_stop()

    try:
        cover = BoardCover.of(instance, check_stop)
        if cover.refusal() is not None:
            return cover, Diagram.empty(len(without_colours(cover, check_stop).items) + 1)
        reason = backend.refusal(Question(Goal.USES), cover)
        if reason is not None:
            raise BadOption(f"{backend.name}: {reason}")
        from tiler.backends.frontier import dispatch
        from tiler.backends.frontier.diagram.solution_diagram import SolutionDiagram
        from tiler.backends.frontier.shared.budgeted import budget_of
        from tiler.backends.frontier.shared.model import Model

        model, budget = Model.of(cover, backend.order, check_stop), budget_of(limits)
        made = SolutionDiagram(model, budget=budget, threads=dispatch.threads_of(limits), check_stop=check_stop)
        for _ in made.build():
            nodes = made.states
            check_stop()
        made.diagram.count(check_stop)
    except Stopped as stopped:
        return Result.so_far(Stop(stopped.why), found=0, nodes=nodes)
    if made.short:
        return Result.so_far(Stop.MEMORY, found=0, nodes=nodes, message=dispatch.shortage_of(made))
    return cover, made.diagram
