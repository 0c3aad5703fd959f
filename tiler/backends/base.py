"""What a backend is, how one is found, and the specs that name it and its options.

A backend is a frozen dataclass made with `@register`; its fields, made with `option`, are its options. From the class alone come
the spec `name[:key=value,...]`, its help, the refusal of unknown options, and the run record. See backtracking.py for a model.
"""

from __future__ import annotations

import dataclasses
import pkgutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, util
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from tiler.errors import BadOption, MissingDependency, UnknownBackend, suggest
from tiler.model.expected import Status
from tiler.question.events import Events
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop
from tiler.question.watch import Look, Watch, unhurried

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import ExactCover

_registry: dict[str, type[Backend]] = {}
_DISTRIBUTIONS = {"pysat": "'python-sat[pb]'"}  # what pip calls a module, where that is not the module's name
B = TypeVar("B", bound="type[Backend]")


def option(
    default: str | int | bool,
    help: str,
    *,
    choices: Sequence[str] = (),
    check: Callable[[Any], str | None] | None = None,
) -> Any:
    """A field of a backend that specs can set.

    Its kind is that of the default: a word (one of `choices`, if there are any), a whole number from 0, or on/off. `check` says
    what is wrong with a value, or None.
    """
    return dataclasses.field(default=default, metadata={"help": help, "choices": tuple(choices), "check": check})


def _check_filter(names: str) -> str | None:
    from tiler.cover import filters

    return filters.error_in(names)


@dataclass(frozen=True)
class Backend(ABC):
    """A way to answer questions about an exact cover.

    A subclass sets the class attributes, says in its docstring what a variable means, which constraints there are, what is
    redundant but helps, and the source, and implements `search`. Heavy modules are imported inside `search`, never at the top.
    """

    name: ClassVar[str]
    goals: ClassVar[frozenset[Goal]] = frozenset(Goal)  #: what it can be asked
    proves: ClassVar[bool] = False  #: whether an UNSAT comes with a certificate
    can_trace: ClassVar[bool] = False  #: whether it reports every node through `Events.stack`
    can_save: ClassVar[bool] = False  #: whether it can be stopped and resumed through `Events.save` and `Events.restored`
    can_estimate: ClassVar[bool] = False  #: whether its search has a tree whose size can be estimated beforehand (`tree`)
    requires: ClassVar[tuple[str, ...]] = ()  #: modules of its engines, looked for without importing them
    extras: ClassVar[Mapping[tuple[str, str], str]] = {}  #: (option, value) that needs another module: its name
    imports: ClassVar[tuple[str, ...]] = ()  #: modules that `search` imports; they are loaded before its clock starts

    filter: str = option(
        "off", "placements to leave out beforehand: dead, volume, parity, probe, or several joined by +", check=_check_filter
    )
    anchor: str = option("off", "a tile used once (or auto) to keep in one placement of each orbit: finds tilings up to symmetry")

    @abstractmethod
    def search(self, cover: ExactCover, question: Question, events: Events) -> Result:
        """Answer the question about a cover that passes `ExactCover.refusal`.

        Report every solution (unless the goal is COUNT) through `events.solution`, as option numbers of this cover, and call
        `events.tick` many times a second; when it says False, stop and return. `Result.of_search` makes the answer.
        """

    def solve(
        self, cover: ExactCover, question: Question, events: Events | None = None, *, started: float | None = None
    ) -> Result:
        """Answer the question, within its limits; solutions are option numbers of the unfiltered cover.

        With `events`, ENUMERATE streams its solutions through them; else, and for DECIDE always, they are in the result. The
        clock of the time limit runs from `started` (a reading of `time.perf_counter`), by default from now. BadOption if the
        backend cannot do what is asked, MissingDependency if its engine is not installed.
        """
        self.refuse(question)
        if question.up_to_symmetry and question.goal is not Goal.DECIDE:
            raise BadOption("a backend knows nothing of symmetry: ask tiler.ask.solve.solve")
        collected: list[tuple[int, ...]] = []
        collect = collected.append if events is None or question.goal is Goal.DECIDE else None
        watch = Watch(events or Events(), question.limits, time.perf_counter() if started is None else started, collect)

        def work() -> Result:
            if (reason := cover.refusal()) is not None:
                return self.refuted(cover, reason, watch)
            reduced = self.reduce(cover, question, watch.look)
            if reduced is not cover and (reason := reduced.refusal()) is not None:
                return self.refuted(reduced, reason, watch)
            return self.search(reduced, question, _Renumbering(watch, reduced))

        try:
            result = watch.answer(work)
        except MemoryError:
            status = Status.SAT if collected else Status.UNKNOWN
            result = Result(status, Stop.MEMORY, message="the memory is exhausted")
        stop = watch.reason if watch.reason and result.stop is Stop.INTERRUPTED else result.stop
        return dataclasses.replace(result, stop=stop, solutions=tuple(collected))

    def refuted(self, cover: ExactCover, reason: str, events: Events) -> Result:
        """The answer about a cover that `ExactCover.refusal` gives a reason against."""
        return Result(Status.UNSAT, Stop.DONE, count=0, stats={"found": 0, "nodes": 0}, message=reason)

    @classmethod
    def preloads(cls) -> tuple[str, ...]:
        """Modules that a harness imports once, for all runs."""
        return (*cls.requires, *cls.imports)

    def settled(self, cover: ExactCover, question: Question) -> Backend:
        """The backend that answers in place of this one about parts of a search: itself, but for one that chooses."""
        return self

    def numbering(self, cover: ExactCover) -> NDArray[np.int64]:
        """The rank of each cell in the order in which this backend looks at them, shape (cells,)."""
        import numpy as np

        return np.arange(len(cover.cells), dtype=np.int64)

    def tree(self, cover: ExactCover) -> Tree:
        """The tree of the search of a cover that passes `ExactCover.refusal`, from backends with `can_estimate`."""
        raise NotImplementedError

    def reduce(self, cover: ExactCover, question: Question, look: Look = unhurried) -> ExactCover:
        """The cover after `anchor` and `filter`; BadOption if the question asks for more than it keeps."""
        if self.anchor == self.filter == "off":
            return cover
        from tiler.cover import filters
        from tiler.cover.cover import Keeps

        if self.anchor != "off":
            cover = filters.anchor(cover, self.anchor, self.numbering(cover), look)
            if question.goal is not Goal.DECIDE and cover.keeps is not Keeps.ALL:
                raise BadOption(f"anchor={self.anchor} keeps a part of each orbit only: count or enumerate with --up-to-symmetry")
        return filters.apply(cover, self.filter, look)

    def refuse(self, question: Question) -> None:
        """MissingDependency or BadOption if the question cannot be put to this backend."""
        self.check_installed()
        if question.goal not in self.goals:
            names = [backend.name for backend in backends().values() if question.goal in backend.goals]
            raise BadOption(f"{self.name} cannot {question.goal}; these can: {', '.join(names)}")

    def check_installed(self) -> None:
        """MissingDependency if a module that it needs, with the options it has, is not installed."""
        wanted = [(self.name, module) for module in self.missing()]
        wanted += [
            (value, module)
            for (option, value), module in self.extras.items()
            if getattr(self, option) == value and not is_installed(module)
        ]
        if wanted:
            modules = [module for _, module in wanted]
            raise MissingDependency(f"{wanted[-1][0]} needs {', '.join(modules)}; install with: {pip_install(modules)}")

    @property
    def spec(self) -> str:
        """The full spec, every option written out: `parse_spec` reads it as an equal backend."""
        values = [f"{field.name}={_word(getattr(self, field.name))}" for field in dataclasses.fields(self)]
        return f"{self.name}:{','.join(values)}" if values else self.name

    def __str__(self) -> str:
        """The shortest spec: only options that differ from the default."""
        changed = [f for f in dataclasses.fields(self) if getattr(self, f.name) != f.default]
        values = [f"{field.name}={_word(getattr(self, field.name))}" for field in changed]
        return f"{self.name}:{','.join(values)}" if values else self.name

    @classmethod
    def missing(cls) -> tuple[str, ...]:
        """Those of its required modules that are not installed."""
        return tuple(module for module in cls.requires if not is_installed(module))


def is_installed(module: str) -> bool:
    """Whether a module can be imported, found out without importing it."""
    return util.find_spec(module) is not None


def pip_install(modules: Iterable[str]) -> str:
    """The command that installs modules.

    >>> pip_install(["pulp", "pysat"])
    "pip install pulp 'python-sat[pb]'"
    """
    return " ".join(["pip install", *(_DISTRIBUTIONS.get(module, module) for module in modules)])


def register(backend: B) -> B:
    """Make a backend known under its name: the decorator above each."""
    if _registry.get(backend.name, backend).__qualname__ != backend.__qualname__:
        raise BadOption(f"two backends are called {backend.name}")
    _registry[backend.name] = backend
    return backend


def backends() -> dict[str, type[Backend]]:
    """Every backend by name: those in this package, in alphabetical order, and those registered by the caller."""
    package = import_module("tiler.backends")
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"tiler.backends.{module.name}")
    return dict(sorted(_registry.items()))


def able(what: str) -> list[str]:
    """The names of the backends whose class attribute `what`, such as `can_save`, says yes."""
    return [name for name, backend in backends().items() if getattr(backend, what)]


def parse_spec(spec: str) -> Backend:
    """The backend that a spec names. UnknownBackend and BadOption say what there is, and what is nearest.

    >>> parse_spec("backtracking:order=rare").spec
    'backtracking:filter=off,anchor=off,order=rare'
    """
    name, _, rest = spec.partition(":")
    if name not in backends():
        raise UnknownBackend(name, backends())
    backend = _registry[name]
    fields = {field.name: field for field in dataclasses.fields(backend)}
    values: dict[str, Any] = {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if not equals or key not in fields:
            raise BadOption(_unknown_option(backend, key, fields))
        if key in values:
            raise BadOption(f"{name}: {key} is set twice")
        values[key] = _value(backend, fields[key], value)
    return backend(**values)


def _unknown_option(backend: type[Backend], key: str, fields: dict[str, Any]) -> str:
    if key in fields:
        return f"{backend.name}: {key} needs a value, as in {key}={_word(fields[key].default)}"
    return f"{backend.name}: unknown option {key!r}{suggest(key, fields)}; it has {', '.join(fields)}"


def _value(backend: type[Backend], field: dataclasses.Field[Any], text: str) -> Any:
    choices, check = field.metadata["choices"], field.metadata["check"]
    problem: str | None = None
    value: Any = text
    if isinstance(field.default, bool):
        choices, value = ("on", "off"), text == "on"
    elif isinstance(field.default, int):
        number = text.isascii() and text.isdigit() and len(text) <= 9
        problem = None if number else "it must be a whole number"
        value = int(text) if number else 0
    if choices and text not in choices:
        problem = f"it must be one of {', '.join(choices)}{suggest(text, choices)}"
    if problem is None and check is not None:
        problem = check(value)
    if problem:
        raise BadOption(f"{backend.name}: {field.name}={text}: {problem}")
    return value


def _word(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


class _Renumbering(Events):
    """Translates the options of a filtered cover to those of the unfiltered one."""

    def __init__(self, events: Events, cover: ExactCover) -> None:
        self._events, self._origin = events, cover.origin
        self.tick = events.tick  # type: ignore[method-assign]
        self.traces, self.saves = events.traces, events.saves
        self.restored, self.save = events.restored, events.save  # type: ignore[method-assign]

    def solution(self, options: tuple[int, ...]) -> None:
        self._events.solution(tuple(sorted(self._origin[list(options)].tolist())))

    def stack(self, options: tuple[int, ...]) -> None:
        self._events.stack(tuple(self._origin[list(options)].tolist()))


class Tree(Protocol):
    """A search that can be led to any of its nodes, and goes on from there as if that were the root."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most so many nodes; one of the codes of tiler.kernels."""

    def nodes(self) -> int:
        """The nodes made since the start."""

    def found(self) -> int:
        """The solutions since the start."""

    def child(self) -> Any:
        """The node just made below the root, for `enter`; None if nothing can be below it."""

    def turn_back(self) -> None:
        """Leave out whatever is below the node just made."""

    def enter(self, node: Any) -> None:
        """Make a node the root."""

    def root(self) -> Any:
        """The node at which the search starts, before its first step; None if it is known to be dead."""
