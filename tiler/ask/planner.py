"""Make the plan of a search: which solvers are asked, when, for how long, in which way, and why. Every choice between solvers is
made here, by rules, and by samples of search trees (search_selection.py) if these are worth their time; the way of an answer up
to symmetry, and its anchor, are chosen in symmetry/decomposition.py. A plan is data (question/plan.py). execution.py and
portfolio.py search by it, orbits.py puts the parts of a plan up to symmetry together, and parallel.py splits them.

The rules rest on the reference results in results/reference. Attempts are in the order of their price, and each is prepared when
its turn comes. `backtracking` has the smallest tables, and a few thousand of its nodes answer most questions about small boards.
Deciding: `dlx` finds a tiling in hundredths of a second on nearly all boards that have one; `frontier` refutes in a tenth of a
second many boards that no colouring refutes, if they are up to some 20 cells wide. SAT and the later stages of `coloring` take
the rest. Where cells may stay open, these find no tilings of boards that `beam` fills in a tenth of a second. Tiles of two cells
are for `matching`, which takes polynomial time, if it can answer; proofs are for `coloring`, which asks `matching` itself.
Counting: `frontier` wins in the plane, whether tiles repeat or not, as long as the board is narrow, `fila` on wide boards and in
space.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tiler.ask import first_packings
from tiler.backends.auto import OPTIMISER, OTHERS, SEARCHES, Auto
from tiler.backends.backtracking import Backtracking
from tiler.backends.base import Backend
from tiler.backends.beam import Beam
from tiler.backends.coloring import Coloring, stages_here
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila, orders
from tiler.backends.frontier import Frontier
from tiler.backends.matching import Matching
from tiler.backends.registry import parse_spec
from tiler.backends.strips import Strips
from tiler.cover.board import BoardCover, on_board
from tiler.cover.cover import Cover
from tiler.errors import BadOption
from tiler.kernels import python_time
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import NO_EXTRAS, SearchContext
from tiler.question.plan import Candidate, Plan, Way
from tiler.question.question import Goal, Question

#: The nodes of the first trial, shared by the tiles, and for each cell: about two milliseconds.
_FIRST_NODES, _FIRST_NODES_A_CELL = 20_000, 3
_AS_PYTHON = 400  # nodes at most, while kernels run as Python: ten milliseconds
_SMALL = 64  # cells of a small board
_MEDIUM, _LARGE = 300, 4000  # cells of a board on which strips take part, and on which they are first
_FEW_TILES, _FEW_CHOICES = 6, 5000  # tiles, and choices of their copies, which are decided one by one
# With at most this many placements the lattice stage takes milliseconds. With more tiles it hardly ever refutes.
_MOST_PLACEMENTS, _MOST_TILES = 200_000, 8
#: Nodes in a fixed order, and a quarter as many of dancing links: what is so short is over before a better one is found.
_SOON_OVER = 1 << 22
_SOON = 0.2  # seconds of a short delay
_PINS_SECONDS = 0.1  #: the delay, to decide, of those that need pins for colours and marks first
_BY_PINS = Frontier.name, Fila.name
_LEAST_SECONDS = 4.0  #: the least estimated seconds: for a tree that is small, or has an unknown size
_NO_CORE_SECONDS = 10.0  #: the delay of an engine for which no core is free
_TRIAL_SECONDS = 0.3  # CPU seconds in which the whole is tried before it is split
_CHOOSING_SECONDS = 3.0  # the same for a backend that chooses among methods, some of which gain nothing from a split

#: The rules of `auto`: who is asked about boards, the favourite first.
_RULES = {
    Goal.DECIDE: (
        Candidate("dlx", "a tiling, if there is one, is mostly found at once"),
        Candidate("frontier", "no state that failed is entered twice", delay=0.004),
        Candidate("fila", "a tree takes no memory", delay=0.02),
        Candidate("strips", "tiled strips make up the board", delay=0.1),
        Candidate(f"coloring:stages={stages_here('weights', 'probe', 'cases')}", "no search was over in a second", delay=1),
        Candidate("cpsat", "there is a core for it", delay=0.5),
        Candidate("sat", "no search was over in a second", delay=1),
    ),
    Goal.COUNT: (
        Candidate("frontier", "partial tilings that can be completed in the same ways are counted together"),
        Candidate("fila:order=auto", "a tree takes no memory", delay=0.02),
        Candidate("dlx", "no other was over in ten minutes", delay=600),
    ),
    Goal.ENUMERATE: (
        Candidate("fila:order=auto", "it lists tilings as it finds them"),
        Candidate("dlx", "it makes the fewest placements, and lists tilings as it finds them"),
        Candidate("frontier", "it lists tilings without dead ends"),
    ),
    Goal.SAMPLE: (Candidate("frontier", "it knows how many tilings complete each state"),),
    Goal.USES: (Candidate("frontier", "it knows how many tilings go through every state"),),
    Goal.TALLY: (
        Candidate("frontier", "it adds up the tilings of each portion along the diagram of all tilings"),
        Candidate("fila:order=auto", "it lists tilings, which add up by portion", delay=0.2),
    ),
    Goal.PROVE: (Candidate("coloring", "it looks for a reason"),),
}
#: To count in space, where a frontier is wider than trees are deep, and parts below an anchor, where a tree soon ends and a
#: frontier is as wide as before.
_IN_TREES = (
    Candidate("fila:order=auto", "a tree is less deep than a frontier is wide"),
    replace(_RULES[Goal.COUNT][0], delay=0.02),
    _RULES[Goal.COUNT][2],
)
#: For general exact covers: those that need no geometry.
_WITHOUT_BOARD = {
    Goal.DECIDE: (
        Candidate("dlx", "it makes the fewest placements"),
        Candidate("cpsat", "there is a core for it", delay=0.2),
        Candidate("sat", "it learns from dead ends", delay=0.5),
    ),
    Goal.COUNT: (
        Candidate("dlx", "it makes the fewest placements"),
        Candidate("sat", "few solutions may lie behind many dead ends", delay=1),
    ),
}
#: To decide where cells may stay open: the others find little there, and what works in a process of its own takes a core.
_WITH_ROOM = Candidate(Beam.name, "cells may stay open", delay=_SOON, share=4.0)
_NO_ENGINE_SECONDS = 3.0  #: delay of engines there
#: To decide on large boards by many copies.
_WITH_COPIES = Candidate(f"{Beam.name}:widest=800", "there are many copies of a tile", delay=_SOON)
_MANY_COPIES = 8
#: To cover as many cells as possible, before a search for the best packing goes on.
_PACKINGS = Candidate(f"{Beam.name}:widest=800", "it finds good packings soon")
#: To decide where every copy of large pieces is used, `fila` has more shares: dancing links cover the cells of a placement one by
#: one, while a test of `fila` takes the same time for placements of all sizes.
_LARGE_PIECES, _SHARES_BY_LISTS = 10, 4.0  # cells of a piece on average; shares of the time
#: Two workers have a local search, which finds tilings where cells may stay open.
_BY_LOCAL_SEARCH = f"{OPTIMISER}:workers=2"
#: Its tables are made in a fraction of a millisecond, so it is asked before others are prepared.
_FIRST = Candidate(Backtracking.name, "it is prepared soonest")
_NARROW_STRIPS = Candidate("strips:widest=6", "tiled strips make up the board, whatever its size")
LATTICE = Candidate("coloring:stages=area+lattice", "a colouring shows that there is no tiling")
_MATCHING = Candidate(Matching.name, "every placement covers two cells")
BY_FORM, ASKED_FOR = "it suits the form of the board", "it was asked for"


# One search


def searchers(backend: Backend) -> tuple[type[Backend], ...]:
    """The backends that may search for a backend, which is one of them."""
    if isinstance(backend, Auto):
        named = [SEARCHES[name] for name in backend.among.split("+") if name in SEARCHES]
        # FILA leaves it to dancing links where they promise to be quicker.
        return (Auto, *named, *([Dlx] if Fila in named else []), *(OTHERS if backend.leaves_all else ()))
    return (type(backend), Dlx) if backend.delegates else (type(backend),)


def backend_of(candidate: Candidate, asked: Backend) -> Backend:
    """The backend that a candidate names, in the plan for a backend; it may be the same."""
    return asked if candidate.solver == str(asked) else parse_spec(candidate.solver)


def plan(backend: Backend, cover: Cover, question: Question, context: SearchContext = NO_EXTRAS) -> Plan:
    """The plan for one search of a cover, after the filters of the backend, that passes `Cover.refusal`: for all solutions, not
    up to symmetry. Every candidate has a search of its own; only for the heaviest tiling, which takes many questions, each of
    them has a plan. BadOption if no solver that may be asked can answer this question.
    """
    if not isinstance(backend, Auto):
        candidate = Candidate(str(backend), ASKED_FOR)
        if question.goal is not Goal.OPTIMISE:
            candidate = with_search(candidate, backend, cover, question, context)
        return Plan((candidate,))
    if _is_matching(backend, cover, question, context):
        return Plan((_MATCHING,))
    if question.goal is Goal.OPTIMISE:
        return Plan((_optimising(backend, cover, context),))
    able = _favourites(backend, cover, question, context)
    lattice = [LATTICE] if "lattice" in backend.among.split("+") and suits_lattice(cover, question.goal) else []
    if question.goal in (Goal.DECIDE, Goal.COUNT, Goal.TALLY) and not context.is_followed:
        return Plan(tuple(candidate for candidate, _ in _with_threads(able, question)), tuple(lattice))
    return Plan((with_search(*able[0], cover, question, context),), tuple(lattice))


def first_trial(backend: Backend, cover: Cover, question: Question, context: SearchContext) -> Candidate | None:
    """Who searches before a plan is made, on all but large boards for some nodes; None if nobody does."""
    if not isinstance(backend, Auto) or not backend.leaves_all or context.is_followed:
        return None
    if question.goal not in (Goal.DECIDE, Goal.COUNT) or question.limits.nodes is not None:
        return None
    if question.goal is Goal.DECIDE and len(cover.items) >= _LARGE and Strips().refusal(question, cover) is None:
        return None if _is_matching(backend, cover, question, context) else _NARROW_STRIPS
    nodes = _FIRST_NODES // len(cover.names) + _FIRST_NODES_A_CELL * len(cover.items)
    return replace(_FIRST, nodes=min(nodes, _AS_PYTHON) if python_time.is_left else nodes)


def _is_matching(backend: Auto, cover: Cover, question: Question, context: SearchContext) -> bool:
    """Whether `matching` answers alone."""
    if not backend.leaves_all or context.is_followed or question.goal is Goal.PROVE or not isinstance(cover, BoardCover):
        return False
    return Matching().refusal(Question(question.goal), cover) is None


def _optimising(backend: Auto, cover: Cover, context: SearchContext) -> Candidate:
    """Who finds the heaviest tiling: searches that decide, as long as there are few choices of copies. They often find at once
    what CP-SAT does not find at all."""
    able, tiles = [], ~cover.is_filler
    choices = np.prod(cover.upper[tiles] - cover.lower[tiles] + 1.0)
    if (len(cover.names) > _FEW_TILES or choices > _FEW_CHOICES) and not context.traces:
        able = _able([Candidate(OPTIMISER, "it bounds what solutions can weigh")], cover, Goal.OPTIMISE)
    return able[0] if able else Candidate(str(backend), "choices of copies are decided, the heaviest first")


def packs_first(
    candidate: Candidate, backend: Backend, cover: Cover, question: Question, context: SearchContext
) -> Candidate | None:
    """Who finds good packings before the search of a candidate for the best one goes on; None if nobody can, or need."""
    if not isinstance(backend, Auto) or not backend.leaves_all or context.traces or question.limits.nodes is not None:
        return None
    if candidate.name == Matching.name:
        return None
    is_able = cover.refusal() is None and first_packings.suits(cover) and Beam().refusal(Question(), cover) is None
    return _PACKINGS if is_able else None


def _favourites(
    backend: Auto, cover: Cover, question: Question, context: SearchContext = NO_EXTRAS
) -> list[tuple[Candidate, Backend]]:
    """The solvers that can answer, the favourite first, each with the backend that it names, which may leave the choice of
    search open. BadOption if there is none."""
    among = backend.among.split("+")
    if backend.leaves_all:
        among += [OPTIMISER, Beam.name, *([Strips.name] if len(cover.items) >= _MEDIUM else [])]
    able = [(candidate, parse_spec(candidate.solver)) for candidate in _candidates(cover, question.goal, among)]
    if context.traces:
        able = [each for each in able if each[1].can_trace]
    if context.saves:
        able = [each for each in able if each[1].can_save]
        # Alone, the frontier may end for lack of memory; what goes on for as long as it takes comes first.
        able.sort(key=lambda pair: isinstance(pair[1], Frontier))
    if question.goal is Goal.DECIDE:
        able = _with_engines(able, question.limits.threads)
    if not able:
        where = " where sides have marks, or items colours" if cover.coloured is not None else ""
        raise BadOption(f"{backend.name}: no solver in among={backend.among} can answer this question{where}")
    return able


def _with_threads(able: Sequence[tuple[Candidate, Backend]], question: Question) -> list[tuple[Candidate, Backend]]:
    """Candidates that take turns, each with its number of threads. Candidates that can use only one thread work beside the
    others, and an engine has a core of its own. If there are such candidates, the others share the threads that are left; else
    each has all threads in its turn."""
    threads = question.limits.threads if question.limits.nodes is None else 1
    knows = [question.goal in searcher.threaded for _, searcher in able]
    if not all(knows):
        threads = max(1, (threads - knows.count(False)) // max(1, knows.count(True)))
    return [
        (replace(candidate, threads=threads if question.goal in searcher.threaded else 1), searcher)
        for candidate, searcher in able
    ]


def _with_engines(able: Sequence[tuple[Candidate, Backend]], threads: int) -> list[tuple[Candidate, Backend]]:
    """Candidates by the number of cores for engines, with one thread for the others. Engines without a core begin late. The first
    engine is asked only if there is a core for it, as it needs one for long."""
    engines = [each for each, searcher in able if searcher.has_process]
    if threads == 1:
        return [(each, searcher) for each, searcher in able if each not in engines or each.name != OPTIMISER]
    late = engines[threads - 1 :]
    return [
        (replace(each, delay=max(each.delay, _NO_CORE_SECONDS)) if each in late else each, searcher) for each, searcher in able
    ]


def suits_lattice(cover: Cover, goal: Goal) -> bool:
    """Whether the lattice stage of the prover is worth its time; its certificate is about all placements."""
    is_asked = goal in (Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE) and isinstance(cover, BoardCover)
    is_asked = is_asked and Coloring().refusal(Question(), cover) is None
    # If cells may be covered one by one, there is a signed tiling.
    is_asked = is_asked and not bool(((cover.sizes == 1) & ~cover.bounded & ~cover.is_filler).any())
    return is_asked and cover.is_whole and len(cover) <= _MOST_PLACEMENTS and len(cover.names) <= _MOST_TILES


def _candidates(cover: Cover, goal: Goal, among: Collection[str]) -> list[Candidate]:
    """The solvers that `auto` asks, the favourite first. If `among` names a search that can answer, there is at least one."""
    if not isinstance(cover, BoardCover):
        able = _able(_WITHOUT_BOARD.get(goal, _WITHOUT_BOARD[Goal.COUNT][:1]), cover, goal)
        return _with_favourite(able) if goal is Goal.COUNT else able
    is_small_part = not cover.is_whole and len(cover.items) <= _SMALL
    in_trees = goal is Goal.COUNT and (is_small_part or cover.instance.dimension > 2)
    candidates = _IN_TREES if in_trees else _deciding(cover) if goal is Goal.DECIDE else _RULES[goal]
    able = _able(candidates, cover, goal)
    if goal is Goal.TALLY and cover.instance.dimension > 2:
        able = [replace(each, delay=0.2 * n) for n, each in enumerate(reversed(able))]
    if len(able) > 1:
        able = [each for each in able if each.name in among]
    return _with_favourite(able) if goal in (Goal.COUNT, Goal.TALLY) else able


def _with_favourite(able: list[Candidate]) -> list[Candidate]:
    """Two shares of the time for the first: if it is right, it takes at most half as long again, if not, three times as long."""
    return [*(replace(each, share=2.0) for each in able[:1]), *able[1:]]


def _deciding(cover: BoardCover) -> tuple[Candidate, ...]:
    """The solvers that decide, by the rules; where a beam is worth while, it takes part."""
    rules = _RULES[Goal.DECIDE]
    if cover.instance.optional and not cover.instance.groups:
        late = [replace(each, delay=max(each.delay, _NO_ENGINE_SECONDS)) if each.delay > _SOON else each for each in rules]
        late = [replace(each, solver=_BY_LOCAL_SEARCH) if each.name == OPTIMISER else each for each in late]
        return (*late, _WITH_ROOM)
    if cover.coloured is not None:
        rules = tuple(replace(each, delay=max(each.delay, _PINS_SECONDS)) if each.name in _BY_PINS else each for each in rules)
    copies = cover.upper[~cover.is_filler]
    if cover.instance.dimension == 2 and cover.uses_every_copy and len(cover.items) >= _LARGE_PIECES * copies.sum():
        rules = tuple(replace(each, share=_SHARES_BY_LISTS) if each.name == Fila.name else each for each in rules)
    has_many = bool((copies >= _MANY_COPIES).any())
    return (*rules, _WITH_COPIES) if has_many and len(cover.items) > _SMALL else rules


def _able(candidates: Iterable[Candidate], cover: Cover, goal: Goal) -> list[Candidate]:
    """The candidates that are installed, and that know corners or colours if the cover has them. If the favourites do not, the
    next candidate begins at once."""
    backends = {each: parse_spec(each.solver) for each in candidates}
    able = [
        each for each, backend in backends.items() if not backend.missing() and backend.refusal(Question(goal), cover) is None
    ]
    return [replace(each, delay=max(0.0, each.delay - able[0].delay)) for each in able]


# FILA or dancing links


def search_by_form(backend: Fila, cover: Cover) -> Backend:
    """The search that suits the form of the board, for `order=auto`. In the plane it fills the first open cells, which is faster
    up to some million nodes, unless the set of tiles is exact and no window is possible. Else it fills the most constrained
    cells."""
    if cover.refusal() is not None:
        return replace(backend, order=orders.FIRST)
    from tiler.backends.fila import variants

    board, fewest = on_board(cover, backend.name), variants.fewest(backend)
    if fewest is not None and board.instance.dimension > 2:
        return fewest
    first = variants.first_open(backend, board)[0]
    return first if fewest is None or not cover.uses_every_copy or variants.has_window(first, board) else fewest


def resolved(
    backend: Backend,
    cover: Cover,
    keeps: Sequence[NDArray[np.bool_]] = (),
    check_stop: StopCheck = never_stop,
    threads: int = 1,
    *,
    by_samples: bool = True,
) -> Candidate:
    """The search that a backend stands for. Every backend stands for itself, but `fila:order=auto` for one that is chosen by
    samples, or only by the form of the board. Samples are of the parts of the cover that are searched. A part has the options
    marked in one of `keeps`, each of shape (options,); without `keeps` it is the whole cover."""
    if not isinstance(backend, Fila) or not backend.delegates:
        return Candidate(str(backend), ASKED_FOR)
    by_form = search_by_form(backend, cover)
    if not by_samples:
        return Candidate(str(by_form), BY_FORM)
    from tiler.ask.size import search_selection, stochastic_enumeration  # Most questions are answered without samples.

    if stochastic_enumeration.is_idle(cover) or cover.refusal() is not None:
        return Candidate(str(by_form), "there are few pieces")
    from tiler.backends.fila import variants

    board = on_board(cover, backend.name)
    firsts, fewest = variants.first_open(backend, board), variants.fewest(backend)
    return search_selection.of_searches(
        by_form, firsts, fewest, board, keeps or [np.ones(len(cover), np.bool_)], check_stop, threads
    )


def with_search(candidate: Candidate, backend: Backend, cover: Cover, question: Question, context: SearchContext) -> Candidate:
    """A candidate with the search that its backend stands for, by the form of the board. For a search that runs to its end it is
    a trial only: a count can begin anew, for all others samples are drawn at once."""
    chosen = resolved(backend, cover, by_samples=False)
    if chosen.solver == str(backend):
        return candidate
    because = chosen.because if candidate.because == ASKED_FOR else f"{candidate.because}; {chosen.because}"
    nodes: int | None = 0
    if question.goal is Goal.DECIDE or question.solutions_wanted is not None or context.traces:
        nodes = None
    elif question.goal is Goal.COUNT and not context.saves:
        nodes = _SOON_OVER if chosen.name == Fila.name else _SOON_OVER // 4
    return replace(candidate, solver=chosen.solver, because=because, nodes=nodes, stands_for=str(backend))


def after_trial(candidate: Candidate, cover: Cover, question: Question, context: SearchContext) -> Candidate:
    """The search after the trial of a candidate, chosen by samples; it may be the same."""
    chosen = resolved(parse_spec(candidate.stands_for), cover, (), context.check_stop, question.limits.threads)
    return replace(candidate, solver=chosen.solver, because=chosen.because, seconds=chosen.seconds, nodes=None)


# Several processes


def split(backend: Backend, cover: Cover, question: Question, check_stop: StopCheck = never_stop) -> Plan:
    """The plan for a search that is split into parts: one backend for all of them, after a trial of the whole.

    For `auto` it is the favourite for deciding, else the favourite for listing. The favourite for counting, `frontier`, gains
    nothing from a split, since most states occur in every part.
    """
    asked, candidate = backend, Candidate(str(backend), ASKED_FOR)
    if isinstance(backend, Auto):
        goal = question.goal if question.goal is Goal.DECIDE else Goal.ENUMERATE
        is_matching = _is_matching(backend, cover, Question(goal), NO_EXTRAS)
        favourite = _MATCHING if is_matching else _favourites(backend, cover, Question(goal))[0][0]
        backend = _with_options_of(backend, favourite)
        candidate = Candidate(str(backend), favourite.because)
    if backend.delegates:
        is_brief = question.goal is Goal.DECIDE or question.limits.solutions is not None
        candidate = resolved(backend, cover, (), check_stop, question.limits.threads, by_samples=not is_brief)
    trial = _TRIAL_SECONDS if candidate.solver == str(asked) else _CHOOSING_SECONDS
    return Plan((candidate,), trial=trial, is_split=True)


def _with_options_of(backend: Auto, candidate: Candidate) -> Backend:
    """A candidate that is asked in the place of `auto`, about what that leaves."""
    return replace(parse_spec(candidate.solver), filter=backend.filter, anchor=backend.anchor)


# Up to symmetry


def rivals(backend: Backend, cover: Cover, question: Question, context: SearchContext = NO_EXTRAS) -> list[Backend]:
    """The backends to race for counts up to symmetry; if there are two, they take turns: one that searches a tree, then one
    that gains nothing by an anchor."""
    if not isinstance(backend, Auto) or question.goal is not Goal.COUNT or context.is_followed:
        return [backend]
    if cover.refusal() is None and _is_matching(backend, cover, question, context):
        return [_with_options_of(backend, _MATCHING)]
    able = _candidates(cover, Goal.COUNT, backend.among.split("+")) if isinstance(cover, BoardCover) else []
    found = sorted(
        (each for each in able if each.name in (Fila.name, Frontier.name)), key=lambda each: each.name == Frontier.name
    )
    return [_with_options_of(backend, each) for each in found] or [backend]


def in_turns(dimension: int, searcher: Candidate, merger: Candidate) -> Plan:
    """Shares and delays of two ways to count up to symmetry: one below an anchor, with a time estimated by samples, and one by
    Burnside's lemma, which may be far quicker on narrow boards. In the plane, Burnside's way first has half of the estimated
    seconds, and then a third of all. In space it is hardly ever quicker; there it begins after twice the estimated seconds.
    Without an anchor, Burnside's way begins almost at once, and both have equal shares. Ways and seconds take time to compute: if
    they are None, this function is called again when their turn has come.
    """
    seconds = max(_LEAST_SECONDS, searcher.seconds or 0.0)
    if dimension > 2:
        if merger.way not in (None, Way.BURNSIDE):
            return Plan((searcher,))
        if searcher.way is Way.BURNSIDE:
            return Plan((searcher, replace(merger, delay=_SOON)))
        return Plan((replace(searcher, share=2.0), replace(merger, delay=2 * seconds)))
    if merger.way is Way.BURNSIDE:
        return Plan((merger, replace(searcher, share=2.0, delay=seconds / 2)))
    return Plan((searcher,))
