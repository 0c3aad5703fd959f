"""Define what a backend is: a frozen dataclass. Its fields, made with `option`, are the options of the backend.

The class alone gives the spec `name[:key=value,...]`, its help, the refusal of unknown options, and the run record; see
registry.py. The module of the class imports little. Its method `implementation` imports the search itself: a function in another
module with ordinary imports at its top, which is loaded before the clock starts. A small backend, or a plugin, has a method
`search` instead. tiler/backends/backtracking is an example to copy.
"""

from __future__ import annotations

import dataclasses
from abc import ABC
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tiler.backends.searching.tree import Tree
from tiler.cover.items import ItemKind
from tiler.errors import BackendError, BadOption, Refused
from tiler.kernels import python_time
from tiler.model.expected import Status
from tiler.optional_packages import is_installed
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import NO_EXTRAS, Events, Found, RunningSearch, SearchContext, finished, without_events
from tiler.question.limit_watch import Watch, within
from tiler.question.plan import NOBODY
from tiler.question.question import Goal, Limits, Portion, Question
from tiler.question.result import Result, Stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import Cover

#: The type of the function that a backend's `search` calls, with the backend and the same arguments.
Implementation = Callable[[Any, Any, Question, SearchContext], RunningSearch]
#: The type of a function that searches a cover.
Searching = Callable[["Cover", Question, SearchContext], RunningSearch]

_MANY_OPTIONS = 20_000  # with more options than this, compiled kernels are used from the start


def option(
    default: str | int | bool,
    help: str,
    *,
    choices: Sequence[str] = (),
    check: Callable[[Any], str | None] | None = None,
    of_file: Callable[[str, Path], str] | None = None,
    tries: Sequence[str | int] = (),
) -> Any:
    """A field of a backend that specs can set.

    The default decides what values it has: words (of `choices`, if there are any), whole numbers from 0, or on/off. `check`
    returns what is wrong with a value, or None. `of_file` makes a value of the name of a file, and of the folder from which it is
    named: only for specs that a person writes (`registry.with_files`), so that a spec never depends on a file. `tries` are the
    values, other than the default, that tests try; an option with choices, or with on/off, needs none.
    """
    metadata = {"help": help, "choices": tuple(choices), "check": check, "of_file": of_file, "tries": tuple(map(str, tries))}
    return dataclasses.field(default=default, metadata=metadata)


def _check_filter(names: str) -> str | None:
    from tiler.cover import filters

    return filters.error_in(names)


@dataclass(frozen=True)
class Backend(ABC):
    """A way to answer questions about an exact cover.

    A subclass sets the class attributes and says in its docstring what a variable means, which constraints there are, what is
    redundant but helps, and the source.
    """

    name: ClassVar[str]
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE})  #: see `refusal`
    complete: ClassVar[bool] = True  #: whether its search always answers, unless a limit ends it; else it may end with *unknown*
    needs_board: ClassVar[bool] = False  #: whether it uses geometry, so that it cannot be asked about a general exact cover
    knows_colours: ClassVar[bool] = False  #: whether it can be asked about covers with coloured items
    can_trace: ClassVar[bool] = False  #: whether it can report every node, if `SearchContext.traces` asks for it
    can_save: ClassVar[bool] = False  #: whether it can save its state and be resumed, if `SearchContext.saves` asks for it
    threaded: ClassVar[frozenset[Goal]] = frozenset()  #: the goals for which it uses several threads, if `Limits` allow them
    has_process: ClassVar[bool] = False  #: whether its engine runs in a separate process (external.py), on a core of its own
    can_estimate: ClassVar[bool] = False  #: whether the size of its search tree can be estimated beforehand (`tree`)
    gains_by_anchor: ClassVar[bool] = True  #: whether a search gets shorter when it is split by the placements of an anchor
    requires: ClassVar[tuple[str, ...]] = ()  #: modules of its engines; they are not imported to see whether they are installed
    imports: ClassVar[tuple[str, ...]] = ()  #: modules of its engines to load before the clock starts, in addition to `requires`
    gone: ClassVar[Mapping[str, str]] = {}  #: options of earlier versions, and what to write instead
    #: An (option, value) that needs another module, and the module's name. The value may be one of several joined by +.
    extras: ClassVar[Mapping[tuple[str, str], str]] = {}
    shaping: ClassVar[tuple[str, ...]] = ()  #: options that only shape the formula of its engine; see `formula_key`
    #: An (option, value) that needs a program on the path, any of these, and where to get each.
    programs: ClassVar[Mapping[tuple[str, str], Mapping[str, str]]] = {}

    filter: str = option(
        "off", "placements to leave out beforehand: dead, volume, parity, probe, or several joined by +", check=_check_filter
    )
    anchor: str = option(
        "off", "a tile used once (or auto) to keep in one placement of each orbit: finds tilings up to symmetry", tries=("auto",)
    )

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        """Answer a question about a cover, as a generator of events. Neither `refusal` nor `Cover.refusal` has an objection.

        Yield every solution as `Found` (unless the goal is COUNT), in option numbers of this cover, and `Progress` many times a
        second. Return a `Result`, which `Result.of_search` makes. The search itself obeys the limit of nodes. The caller looks at
        all other limits when there is progress, and closes the generator.
        """
        return self.implementation()(self, cover, question, context)

    @classmethod
    def implementation(cls) -> Implementation:
        """The function that `search` calls. It is imported here, since its module may take long to load."""
        raise NotImplementedError(f"{cls.name} has neither an implementation nor a search of its own")

    def search_question(self, question: Question) -> Question:
        """The question that `search` is asked. It differs from the given one only for a tally that is made by listing solutions:
        then it asks for the list."""
        if question.goal is not Goal.TALLY or Goal.TALLY in self.goals or Goal.ENUMERATE not in self.goals:
            return question
        from tiler.backends import tallying

        return tallying.listing(question)

    def run_search(
        self, cover: Cover, question: Question, context: SearchContext, finish: Callable[[Result], Result] = lambda result: result
    ) -> RunningSearch:
        """Call `search`; a tally may be made by listing solutions. `finish` adds to the result."""
        asked = self.search_question(question)
        running = self._checked_search(cover, asked, context, finish)
        if asked is question:
            return running
        from tiler.backends import tallying

        return tallying.by_listing(running, cover, question)

    def _checked_search(
        self, cover: Cover, question: Question, context: SearchContext, finish: Callable[[Result], Result]
    ) -> RunningSearch:
        """Call `search`, and finish its result. BackendError if it returns none, as the search of a plugin may."""
        result = yield from self.search(cover, question, context)
        if not isinstance(result, Result):
            raise BackendError(f"{self}: the search ended without a result; `search` must return one")
        return finish(result)

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        """Why this backend, with its options, cannot answer a question; None if it can. The text follows the backend's name in
        messages. If `cover` is given, the reason may also lie in the cover, such as marks of sides."""
        if not self.can(question.goal):
            return f"it cannot {question.goal.verb}"
        if question.goal is Goal.OPTIMISE and self.anchor != "off":
            return f"anchor={self.anchor} is for deciding; to optimise leave it out"
        if self.needs_board and cover is not None and ItemKind.CELL not in cover.kinds:
            return "it needs a board, not a general exact cover"
        if not self.knows_colours and cover is not None and cover.coloured is not None:
            return "it knows no marks of sides, and no colours of items"
        return None

    @property
    def delegates(self) -> bool:
        """Whether this backend has no search of its own, because a plan (tiler/ask/planner.py) says which backends search."""
        return False

    @classmethod
    def can(cls, goal: Goal) -> bool:
        """Whether this backend can reach a goal, at least with some values of its options. Every backend that lists solutions can
        also find the heaviest solution (branch_and_bound.py) and make a tally (tallying.py)."""
        return goal in cls.goals or (goal in (Goal.OPTIMISE, Goal.TALLY) and Goal.ENUMERATE in cls.goals)

    def weighs(self, cover: Cover) -> bool:
        """Whether `search` itself finds the heaviest solution. If not, branch_and_bound.py finds it by questions that decide."""
        return Goal.OPTIMISE in self.goals

    def start(
        self,
        cover: Cover,
        question: Question,
        context: SearchContext = NO_EXTRAS,
        *,
        search: Searching | None = None,
    ) -> RunningSearch:
        """Start the search, within the limits of the question. Solutions are in option numbers of the unfiltered cover.

        `search` is called with the cover that filters leave; by default it is the backend's own. Refused if the backend cannot do
        what is asked.
        """
        reason = self.refusal(self.search_question(question), cover)
        if reason is not None:
            raise Refused(f"{self.name}: {reason}")
        if self.delegates and search is None:
            raise BadOption(f"{self}: a plan says who searches: ask tiler.ask.solve")
        if question.up_to_symmetry and question.goal not in (Goal.DECIDE, Goal.PROVE):
            raise BadOption("a backend knows nothing of symmetry: ask tiler.ask.solve")
        context = context.timed()
        watch = Watch(question.limits, context.begun)

        def check_stop() -> None:
            context.check_stop()
            watch.check_stop()

        return within(
            partial(self._begin, cover, question, dataclasses.replace(context, check_stop=check_stop), search or self.run_search),
            watch,
        )

    def _begin(
        self, cover: Cover, question: Question, context: SearchContext, search: Searching
    ) -> tuple[RunningSearch, NDArray[np.int32]]:
        """Begin the search of what `reduce` leaves of a cover, unless it is known beforehand that there is no solution. Returns
        the search, and the numbers of its options in the whole cover."""
        reason = cover.refusal()
        if reason is not None:
            return finished(
                self.refuted(cover, question, reason, context), partial(dataclasses.replace, plan=NOBODY)
            ), cover.origin
        if question.goal is Goal.OPTIMISE and not self.weighs(cover):
            from tiler.backends import branch_and_bound

            def decide(narrowed: Cover, limits: Limits) -> RunningSearch:
                asked = dataclasses.replace(question, goal=Goal.DECIDE, limits=limits)
                return within(partial(self._begin, narrowed, asked, context, search), Watch(Limits()))

            return branch_and_bound.search(decide, cover, question.limits, context.check_stop), cover.origin
        if len(cover) > _MANY_OPTIONS:
            python_time.exhaust()
        left = self.reduce(cover, question, context.check_stop)
        reason = None if left is cover else left.refusal()
        if reason is None:
            context.check_stop()
            running = search(left, question, context)
        else:
            running = self.refuted(left, question, reason, context)
        return running if len(left) == len(cover) else finished(running, self._of_part), left.origin

    def _of_part(self, result: Result) -> Result:
        """The result for a part of the placements: what is true of these need not be true of all."""
        if result.status is not Status.UNSAT or not result.message:
            return result
        left = ",".join(f"{name}={value}" for name, value in (("anchor", self.anchor), ("filter", self.filter)) if value != "off")
        return dataclasses.replace(result, message=f"{result.message}; the search had only what {left} leaves")

    def refuted(self, cover: Cover, question: Question, reason: str, context: SearchContext) -> RunningSearch:
        """The answer without a search, for a cover that has no solution according to `Cover.refusal`."""
        uses: dict[int, int] | None = {} if question.goal is Goal.USES else None
        tally: dict[Portion, int] | None = {} if question.goal is Goal.TALLY else None
        return without_events(Result(Status.UNSAT, Stop.DONE, count=0, uses=uses, tally=tally, message=reason))

    def solve(self, cover: Cover, question: Question, context: SearchContext = NO_EXTRAS) -> Result:
        """Call `start` and run the search to its end. The result has the solutions."""
        with Events(self.start(cover, question, context)) as events:
            solutions = tuple(options for event in events if isinstance(event, Found) for options in event)
        return dataclasses.replace(events.result, solutions=solutions)

    @classmethod
    def preload(cls) -> None:
        """Import what the search needs, before the clock starts. ImportError if something is not installed."""
        for module in (*cls.requires, *cls.imports):
            import_module(module)
        with suppress(NotImplementedError):
            cls.implementation()

    def formula_key(self, cover: Cover) -> Hashable:
        """A key of the formula that the engine gets of a cover: two specs with equal keys give it one and the same. Only backends
        with `shaping` have one. BadOption if the options do not suit the cover."""
        raise NotImplementedError(f"{self.name} has no formula")

    def numbering(self, cover: Cover) -> NDArray[np.int64]:
        """The rank of each cell in the order in which this backend looks at them, shape (cells,)."""
        import numpy as np

        return np.arange(len(cover.items), dtype=np.int64)

    def tree(self, cover: Cover, check_stop: StopCheck = never_stop) -> Tree:
        """The search tree of a cover that passes `Cover.refusal`, to estimate its size. Only backends with `can_estimate` have
        one."""
        raise NotImplementedError(f"{self.name} has no search tree")

    def reduce(self, cover: Cover, question: Question, check_stop: StopCheck = never_stop) -> Cover:
        """The cover after `anchor` and `filter`; BadOption if the question needs solutions that the anchor leaves out."""
        if self.anchor == self.filter == "off":
            return cover
        from tiler.cover import filters
        from tiler.cover.board import on_board
        from tiler.cover.cover import SolutionsKept

        if self.anchor != "off":
            board = on_board(cover, f"anchor={self.anchor}")
            cover = filters.anchor(board, self.anchor, self.numbering(board), check_stop)
            if question.goal is not Goal.DECIDE and cover.keeps is not SolutionsKept.ALL:
                raise BadOption(f"anchor={self.anchor} keeps a part of each orbit only: count or enumerate with --up-to-symmetry")
        return filters.apply(cover, self.filter, check_stop)

    @property
    def spec(self) -> str:
        """The full spec, with every option written out. `parse_spec` makes an equal backend of it."""
        values = [f"{field.name}={word(getattr(self, field.name))}" for field in dataclasses.fields(self)]
        return f"{self.name}:{','.join(values)}" if values else self.name

    def __str__(self) -> str:
        """The shortest spec: only options that differ from the default."""
        changed = [f for f in dataclasses.fields(self) if getattr(self, f.name) != f.default]
        values = [f"{field.name}={word(getattr(self, field.name))}" for field in changed]
        return f"{self.name}:{','.join(values)}" if values else self.name

    @classmethod
    def origin(cls) -> Origin | None:
        """The declared program (command/) that this backend calls; None for all other backends. See plugins.py."""
        return None

    @classmethod
    def seeded(cls) -> bool:
        """Whether the backend has an option `seed`, so that another seed makes another search."""
        return any(field.name == "seed" for field in dataclasses.fields(cls))

    @classmethod
    def absent(cls) -> str | None:
        """What the backend needs that is missing here and that pip cannot install, in words; None if nothing is missing."""
        return None

    @classmethod
    def missing(cls) -> tuple[str, ...]:
        """The required modules that are not installed."""
        return tuple(module for module in cls.requires if not is_installed(module))

    @classmethod
    def missing_program(cls, name: str, value: Any) -> str | None:
        """The programs that the value of an option could use, and where to get them, if none of them is on the path; None if one
        is, or if the value needs no program."""
        programs = cls.programs.get((name, value), {})
        if not programs:
            return None
        from shutil import which  # Loading it takes some milliseconds.

        return None if any(map(which, programs)) else " or ".join(f"{name} ({place})" for name, place in programs.items())


class Origin(Protocol):
    """Where a backend from outside this package comes from: a file, or a program. It is hashable."""

    def ensure(self) -> None:
        """Make the backend known in this process too. TilerError if that is impossible, or if the backend is another one here."""

    def record_fields(self) -> dict[str, dict[str, Any]]:
        """The field of a run record that says where the backend comes from: its name and its content."""


def word(value: Any) -> str:
    """The value of an option as specs write it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


class TreeSearchBackend(Backend):
    """A backend with a kernel of ours that searches a tree (searching/driver.py), and what all of these can do."""

    knows_colours: ClassVar[bool] = True
    can_trace: ClassVar[bool] = True
    can_save: ClassVar[bool] = True
    threaded: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.TALLY})
    can_estimate: ClassVar[bool] = True
