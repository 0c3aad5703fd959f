"""Make sentences with the findings of a table, from its data alone."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from tiler.amounts import counted, duration
from tiler.bench import distinct, stats
from tiler.bench.job import only_proves
from tiler.bench.record import Record, disturbed, starved
from tiler.bench.speedup import Speedup, speedup
from tiler.bench.stats import Clock, End, Table, seconds_of
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.report.names import backend, labels

_NAMED = 8  # the number of things listed before "and N more"


def wrong(records: Sequence[Record]) -> list[str]:
    """A sentence for every wrong answer."""
    names = labels(list(dict.fromkeys(str(record["solver"]) for record in records)))
    return [
        f"{record['instance']}: {names[str(record['solver'])]}: {record.get('message') or record.get('status')}"
        for record in records
        if stats.end_of(record) is End.WRONG
    ]


def failed(table: Table) -> list[str]:
    """For each solver that failed, how often it failed, and its most frequent error."""
    names, sentences = labels(table.solvers), []
    for solver in table.solvers:
        errors = Counter(
            str(cell.record and cell.record.get("message")) for cell in table.attempted(solver) if cell.end is End.ERROR
        )
        if errors:
            what, times = errors.most_common(1)[0]
            sentences.append(
                f"{names[solver]} failed on {counted(sum(errors.values()), 'problem')}; most often ({times} times): {what}"
            )
    return sentences


def refused(records: Iterable[Record]) -> list[str]:
    """For each solver that refused some problems, their number and the reasons."""
    problems: dict[str, set[str]] = defaultdict(set)
    reasons: dict[str, dict[str, None]] = defaultdict(dict)
    for record in records:
        if stats.end_of(record) is End.REFUSED:
            solver = str(record["solver"])
            problems[solver].add(str(record["instance"]))
            reasons[solver][str(record.get("message")).removeprefix(f"{backend(solver)}: ")] = None
    names = labels(list(problems))
    return [
        f"{names[solver]} refused {counted(len(some), 'problem')}: {_listed(list(reasons[solver]))}. That counts nowhere."
        for solver, some in problems.items()
    ]


def beforehand(table: Table) -> str:
    """A sentence about the problems that were left out because no solver searched; empty if there are none."""
    number = len(table.beforehand)
    if not number:
        return ""
    are, they = ("is", "it has") if number == 1 else ("are", "they have")
    return (
        f"{counted(number, 'problem')} {are} left out: {they} no tiling at sight (by area, a cell that nothing covers, or a tile "
        "without room), so no solver searched"
    )


def provers(table: Table) -> str:
    """A sentence about the solvers that can only prove that there is no tiling, and were asked about problems that have one;
    empty if there are none."""
    names = labels(table.solvers)
    who = [
        names[solver]
        for solver in table.solvers
        if only_proves(solver) and any(table.cell(problem, solver).end is End.REFUSED for problem in table.problems)
    ]
    them = "it" if len(who) == 1 else "them"
    return f"{_listed(who)} can only prove that there is no tiling: problems that have one do not count for {them}" if who else ""


def alike(table: Table) -> list[str]:
    """For each set of solvers that nothing but scatter tells apart on many problems, a sentence with the number of problems."""
    names = labels(table.solvers)
    are = "cannot be told apart, as all their counters are equal"
    return [f"On{some.in_words(names, are).removeprefix('on')}." for some in distinct.by_counters(table)]


def overall(table: Table) -> list[str]:
    """Sentences about the whole table."""
    names, best, sentences = labels(table.solvers), stats.virtual_best(table), []
    order = stats.ranking(table)
    unsolved = [problem.name for problem in table.problems if problem.name not in best]
    sentences.append(
        f"{counted(len(table.problems), 'problem')}, {len(best)} solved by some solver"
        + (f"; unsolved: {_listed(unsolved)}." if unsolved else ".")
    )
    left_out = beforehand(table)
    if left_out:
        sentences.append(f"{left_out}.")
    if len(order) > 1 and best:
        most = stats.count(table, order[0])
        first = [solver for solver in order if stats.count(table, solver) == most]
        score = stats.par2(table, first[0])
        least = ""
        if score is not None and len(first) == 1:
            least = f", with a PAR-2 of {duration(score)}"
        elif score is not None:
            least = f"; {names[first[0]]} has the least PAR-2, {duration(score)}"
        sentences.append(f"{_together([names[solver] for solver in first])} solved the most ({most}){least}.")
        contested = stats.virtual_best(stats.contested(table))
        quick = Counter(best_run.solver for best_run in contested.values())
        often = max(quick.values(), default=0)
        fastest = [names[solver] for solver in order if quick[solver] == often > 0]
        is_or_are, each = ("is", "") if len(fastest) == 1 else ("are", " each")
        asked = "" if len(contested) == len(best) else " that several solvers were asked about"
        most_often = f"most often: on {often} of the {len(contested)} solved problems{asked}{each}"
        where = most_often if len(contested) > 1 else f"on the only solved problem{asked}"
        if fastest:
            sentences.append(f"{_together(fastest)} {is_or_are} the fastest {where}.")
        for solver in table.solvers:
            mine = [name for name, run in contested.items() if run.solver == solver and _solved_by(table, name) == 1]
            if mine:
                sentences.append(f"Only {names[solver]} solved {_listed(mine)}.")
    missing = sum(stats.count(table, solver, End.MISSING) for solver in table.solvers)
    if missing:
        sentences.append(
            f"{counted(missing, 'run')} of {len(table.problems) * len(table.solvers)} were never made; they count nowhere."
        )
    return sentences


def by_family(table: Table) -> list[str]:
    """Sentences about each family: the fastest solver, by how much, and the unsolved problems."""
    names, sentences = labels(table.solvers), []
    for family, part in table.by_family.items():
        best = stats.virtual_best(part)
        head = f"{family or 'problems'} ({len(part.problems)}): "
        if not best:
            sentences.append(f"{head}nobody solved any.")
            continue
        order = stats.ranking(part)
        most = stats.count(part, order[0])
        # Among solvers that solved the same number of problems, the fastest on the problems that all of them solved.
        even = [solver for solver in order if stats.count(part, solver) == most]
        common = {problem.name for problem in part.problems if all(part.cell(problem, solver).is_solved for solver in even)}
        shared = part.only(problems=lambda problem, common=common: problem.name in common) if common else part  # type: ignore[misc]
        means = {s: stats.shifted_geometric_mean(stats.solved_seconds(shared, s), 0) or 0.0 for s in even}
        first, *others = sorted(even, key=lambda solver: means[solver])
        solved = "all" if most == len(part.problems) else f"{most} of {len(part.problems)}"
        rivals = any(part.attempted(solver) for solver in order if solver != first)
        text = f"{head}{names[first]} is the fastest of the solvers that solved the most ({solved})"
        if not rivals:
            text = f"{head}only {names[first]} was asked, and solved {solved}"
        text += f", geometric mean {duration(means[first])}"
        gain = speedup(shared, first, others[0]) if others else None
        if gain is not None:
            text += f", {_ahead(gain, names[others[0]], len(part.problems))}"
        less = [f"{names[s]} {stats.count(part, s)}" for s in order if stats.count(part, s) < most and part.attempted(s)]
        if less:
            text += f"; fewer: {_listed(less)}"
        unsolved = [problem.name for problem in part.problems if problem.name not in best]
        if unsolved:
            text += f"; unsolved: {_listed(unsolved)}"
        sentences.append(f"{text}.")
    return sentences


def _ahead(gain: Speedup, other: str, problems: int) -> str:
    """How far the fastest solver is ahead of the next one, and whether that is more than the problems scatter."""
    where = "" if gain.number == problems else " on one problem" if gain.number == 1 else f" on {gain.number} problems"
    times = f"{gain.factor:.{2 if gain.factor < 2 else 1}f} times faster than {other}"
    if gain.apart < gain.number:
        where += f" (the searches differ on {gain.apart})"
    if gain.number == 1:
        return f"{times}{where}"
    if gain.is_within_scatter:
        return f"{times}{where}, which is within the scatter of the problems"
    return f"{times} ({gain.low:.2f} to {gain.high:.2f}){where}"


def trust(records: Sequence[Record]) -> str:
    """The numbers of answers that were verified, that were proved, and that could only be compared."""
    solved = [record for record in records if stats.end_of(record) is End.SOLVED]
    tilings = sum(
        record["status"] == Status.SAT and record["goal"] == Goal.DECIDE and bool(record.get("verified")) for record in solved
    )
    proofs = sum(bool(record.get("proved")) for record in solved)
    rest = len(solved) - tilings - proofs
    expected = sum(record.get("category") == "correct" for record in solved)
    return (
        f"{counted(len(solved), 'answer')}: {tilings} are tilings that the verifier accepted, and {proofs} are proofs that the "
        f"checker accepted. The other {rest} (no tiling found, or a count) were only compared with the problem file or with "
        f"other solvers. {expected} are as the problem files expect."
    )


def overhead(records: Sequence[Record]) -> str:
    """The mean and median wall-clock time that a run took on top of listing placements, solving and repeats; empty if unknown."""
    costs = []
    for record in records:
        wall, total = seconds_of(record, Clock.WALL), seconds_of(record, Clock.TOTAL)
        if wall is not None and total is not None:
            warm = record.get("warm")
            costs.append(wall - (warm["first_seconds"] if warm else total))
    if not costs:
        return ""
    return (
        f"On top of listing placements, solving and repeats, a run took {duration(sum(costs) / len(costs))} of wall clock on "
        f"average (median {duration(median(costs))}), for processes, verification and loading code."
    )


def engines(records: Sequence[Record]) -> list[str]:
    """For each backend with an engine in its own process: the median times of the run, of making the model, and of the engine."""
    taken: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for record in records:
        counters = record.get("stats") or {}
        parts = [record.get("solve_seconds"), counters.get("model_seconds"), counters.get("engine_seconds")]
        if stats.end_of(record) is End.SOLVED and None not in parts:
            taken[backend(str(record["solver"]))].append(tuple(map(float, parts)))  # type: ignore[arg-type]
    sentences = []
    for name, rows in taken.items():
        whole, model, engine = (duration(median(row[part] for row in rows)) for part in range(3))
        sentences.append(
            f"{name}: the medians over the runs are {whole} in all, {model} to make the model, and {engine} in the engine; they "
            "need not add up. A process of its own takes the rest. --clock engine shows the engine alone."
        )
    return sentences


def _solved_by(table: Table, name: str) -> int:
    return sum(table.cell(name, solver).is_solved for solver in table.solvers)


def warnings(records: Sequence[Record], *, for_paper: bool = False) -> list[str]:
    """Reasons to doubt the seconds of some records. `for_paper`: without options of the command."""
    sentences = []
    cores = min((int((record.get("environment") or {}).get("cores") or 0) for record in records), default=0)
    loads = [load for record in records if (load := record.get("load")) is not None]
    abreast = max((int(record.get("jobs") or 1) for record in records), default=1)
    if cores and abreast > cores:
        sentences.append(f"{abreast} runs at a time on {counted(cores, 'core')}: they disturbed each other.")
    busy = disturbed(records)
    if busy:
        load_text = (
            f": median load {median(loads):.1f}, highest {max(loads):.1f}, on {counted(cores, 'core')}" if loads and cores else ""
        )
        sentences.append(
            f"{busy} of {counted(len(records), 'run')} shared the processor with other programs{load_text}. CPU "
            f"seconds {'' if for_paper else '(--clock cpu) '}suffer less from this."
        )
    starved = starved_in_words(records)
    if starved:
        sentences.append(f"{starved}.")
    versions = {json.dumps(record.get("versions"), sort_keys=True) for record in records if record.get("versions")}
    if len(versions) > 1:
        sentences.append(f"The records were made with {len(versions)} different sets of versions.")
    return sentences


def start_in_words(table: Table) -> str:
    """Whether the seconds of the answered runs have a warm or a cold start; empty if no run has an answer.

    The harness loads machine code before it starts a run, so that the seconds never include loading."""
    answered = [record for record in table.records if stats.end_of(record) is End.SOLVED]
    if not answered:
        return ""
    ready = "machine code was loaded beforehand"
    warm = sum(bool(record.get("warm")) for record in answered)
    if table.clock in (Clock.WALL, Clock.CPU) or not warm:
        return f"cold start: the first run of a process; {ready}"
    if warm == len(answered):
        return f"warm start: the median of repeats within a process; {ready}"
    return (
        f"warm start (the median of repeats within a process) in {warm:,} of {counted(len(answered), 'answered run')}, cold (the "
        f"first run of a process) in the others; {ready}"
    )


def starved_in_words(records: Sequence[Record]) -> str:
    """The number of timeouts with less than half of the limit in CPU seconds, and possible reasons; empty if there is none."""
    number, timeouts = starved(records), sum(stats.end_of(record) is End.TIME for record in records)
    if not number:
        return ""
    return (
        f"{number} of {counted(timeouts, 'timeout')} had less than half of the limit in CPU seconds: other programs took the "
        "processor, or the solver waited"
    )


def _together(names: Sequence[str]) -> str:
    """Names as the subject of a sentence.

    >>> _together(["dlx", "fila", "sat"])
    'dlx, fila and sat'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if len(names) <= _NAMED else _listed(names)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
