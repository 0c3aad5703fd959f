"""Draw a set of instances, sort them into grades by the seconds of a reference solver, as SAT competitions ask for, and write its
files. For every family, sizes are tried from the smallest on, with several instances of each, until all instances of one size are
too hard (or the size reaches `LARGEST`). A grade takes the first instances that fall into it. The last grade has the instances
that the reference solver did not decide in time; the family knows their verdicts from the way of drawing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiler.backends.languages import writing
from tiler.backends.languages.writing import WriteRequest
from tiler.backends.sat.dimacs import GbdHash
from tiler.bench import campaign, code_fingerprint, families, record
from tiler.bench.families import Family
from tiler.bench.job import Job, of_jobs
from tiler.bench.record import Record
from tiler.bench.store import Store
from tiler.cover.board import BoardCover
from tiler.errors import TilerError
from tiler.formats import text
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.process import files
from tiler.question.question import Goal, Limits, Question

ENCODED = "sat"  #: the spec of the solver whose clauses are written
LARGEST = 100  # sizes of instances are below this


@dataclass(frozen=True)
class GradedInstance:
    """An instance with the record of the reference solver and its grade: the number of edges, except the last one, that its
    seconds reach; or the number of all edges, if it was not decided.
    """

    family: Family
    size: int
    instance: Instance
    record: Record
    grade: int

    @property
    def is_decided(self) -> bool:
        return self.record["status"] != Status.UNKNOWN


@dataclass(frozen=True)
class CorpusRequest:
    """The wish of a user: the families, the number of instances of each family in every grade, the grades' edges in seconds (the
    last one is the reference solver's limit), and the number of instances to try of each size."""

    families: tuple[Family, ...]
    seed: int
    each: int
    edges: tuple[float, ...]
    solver: str
    tries: int


def draw(
    wish: CorpusRequest, folder: Path, tell: Callable[[GradedInstance], object] = lambda drawn: None
) -> Iterator[GradedInstance]:
    """The instances that are taken, family by family; runs that are recorded in the folder are not made again.

    TilerError if the reference solver contradicts what a family knows.
    """
    (solver,) = campaign.full_specs([wish.solver])
    question = Question(Goal.DECIDE, Limits(wish.edges[-1]))
    with Store(folder) as store:
        for family in wish.families:
            taken = dict.fromkeys(range(len(wish.edges) + 1), 0)
            for size in range(family.least, LARGEST, family.step):
                instances = [families.instance(family, wish.seed, size, n) for n in range(1, wish.tries + 1)]
                candidates = [
                    _drawn(family, size, instance, _record(Job(instance, solver, question), store, folder), wish.edges)
                    for instance in instances
                ]
                for drawn in candidates:
                    tell(drawn)
                    if taken[drawn.grade] < wish.each:
                        taken[drawn.grade] += 1
                        yield drawn
                if not any(drawn.is_decided for drawn in candidates):
                    break


def _record(job: Job, store: Store, folder: Path) -> Record:
    """The record of a job: one that is there, or a new one."""
    known = of_jobs([job], code_fingerprint.made_here(record.read(folder).records))
    made = known[0] if known else next(campaign.make([job], store, warm_seconds=0.0))
    if made["category"] not in ("correct", "verified", "certified", "beforehand", "unchecked", "unknown"):
        raise TilerError(f"{job.instance.name}: {job.solver}: {made['category']}: {made['message'] or made['status']}")
    return made


def _drawn(family: Family, size: int, instance: Instance, made: Record, edges: Sequence[float]) -> GradedInstance:
    seconds = made["solve_seconds"] or 0.0
    decided = made["status"] != Status.UNKNOWN
    return GradedInstance(family, size, instance, made, sum(edge <= seconds for edge in edges[:-1]) if decided else len(edges))


def in_words(grade: int, edges: Sequence[float]) -> str:
    """The name of a grade, which is also the name of its folder."""
    if grade == len(edges):
        return f"over-{edges[-1]:g}s"
    return f"{edges[grade - 1] if grade else 0:g}s-to-{edges[grade]:g}s"


def write(chosen: Sequence[GradedInstance], wish: CorpusRequest, folder: Path) -> None:
    """Write the instances, each as a problem file and as clauses; the sums of all files; the hashes by which the Global
    Benchmark Database knows the clauses; a README; and a description in LaTeX."""
    sizes: dict[str, tuple[int, int]] = {}
    written, gbd = dict[str, bytes](), dict[str, str]()
    for graded in chosen:
        grade, cover = in_words(graded.grade, wish.edges), BoardCover.of(graded.instance)
        wanted = WriteRequest("cnf", writing.model_of("cnf", ENCODED), [graded.instance.name])
        lines = list(writing.write(wanted, cover).files["cnf"])
        head = next(str(line) for line in lines if str(line).startswith("p cnf "))
        sizes[graded.instance.name] = (int(head.split()[2]), int(head.split()[3]))
        name = _file(graded)
        gbd[f"{grade}/{name}.cnf"] = GbdHash().of(map(str, lines)).hexdigest
        written[f"{grade}/{name}.cnf"] = "".join(f"{line}\n" for line in lines).encode()
        written[f"{grade}/{name}.txt"] = text.write(graded.instance).encode()
    written["README.md"] = _readme(chosen, wish, sizes).encode()
    written["description.tex"] = _description(chosen, wish, sizes).encode()
    for name, content in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        files.write(folder / name, content)
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(written.items()))
    files.write(folder / "SHA256SUMS", sums.encode())
    files.write(folder / "GBDHASHES", "".join(f"{digest}  {name}\n" for name, digest in sorted(gbd.items())).encode())


def _file(graded: GradedInstance) -> str:
    """The name of an instance's files, without folder and ending."""
    return graded.instance.name.replace("/", "-")


def _rows(chosen: Sequence[GradedInstance], wish: CorpusRequest, sizes: Mapping[str, tuple[int, int]]) -> list[list[str]]:
    """A line for each instance, named as its files in the folder of its grade."""
    return [
        [
            _file(graded),
            f"{sizes[graded.instance.name][0]:,}",
            f"{sizes[graded.instance.name][1]:,}",
            "sat" if graded.instance.about.expected.verdict is Status.SAT else "unsat",
            f"{graded.record['solve_seconds'] or 0.0:.2f}" if graded.is_decided else f"over {wish.edges[-1]:g}",
        ]
        for graded in chosen
    ]


_HEADINGS = ("instance", "variables", "clauses", "verdict", "seconds")


def _readme(chosen: Sequence[GradedInstance], wish: CorpusRequest, sizes: Mapping[str, tuple[int, int]]) -> str:
    loads = [load for graded in chosen if (load := graded.record.get("load")) is not None]
    lines = [
        "# Tiling instances in grades of hardness",
        "",
        f"`tiler corpus` drew these problems with seed {wish.seed}. Each folder is a grade: it has the problems for which",
        f"`{wish.solver}` took the seconds in its name. `runs.jsonl` has these runs, `env.json` the machine. Its load was",
        f"{min(loads, default=0):.1f} to {max(loads, default=0):.1f} during the runs.",
        "The problems of the last grade were not decided in time; their verdicts are known because the problems were drawn so.",
        "",
        "Each problem is there as clauses (`.cnf`, with comments on what the variables mean) and as a problem file (`.txt`).",
        "`tiler check PROBLEM ANSWER --of FILE.cnf` reads the answer of a solver, and `tiler bench --problems .` runs solvers",
        "on all problems.",
        "",
        "The families:",
        "",
        *(f"- {family.name}: {family.about}" for family in wish.families),
        "",
        "The table names files without their endings.",
        "",
        f"| {' | '.join(_HEADINGS)} |",
        "|---|--:|--:|---|--:|",
        *(
            f"| {in_words(graded.grade, wish.edges)}/{' | '.join(row)} |"
            for graded, row in zip(chosen, _rows(chosen, wish, sizes), strict=True)
        ),
        "",
    ]
    return "\n".join(lines)


def _description(chosen: Sequence[GradedInstance], wish: CorpusRequest, sizes: Mapping[str, tuple[int, int]]) -> str:
    lines = [
        r"\documentclass[conference]{IEEEtran}",
        r"\begin{document}",
        r"\title{Tiling Instances in Grades of Hardness}",
        r"\author{\IEEEauthorblockN{YOUR NAME}\IEEEauthorblockA{YOUR AFFILIATION}}",
        r"\maketitle",
        r"\section{Problem}",
        "Can copies of given polyominoes, turned but not overlapping, cover a board? Where their sides have marks, they must",
        "match; cells with colours lie on cells of the same colour. A variable says that a tile lies in one place. Each cell is",
        "covered exactly once; a tile with bounds is counted by a cardinality constraint. Comments in each file say what its",
        "variables and groups of clauses mean.",
        r"\section{Families}",
        r"\begin{description}",
        *(rf"\item[{_tex(family.name)}] {_tex(family.about)}" for family in wish.families),
        r"\end{description}",
        r"\section{Hardness}",
        f"Seconds are those of {_tex(wish.solver)} with a limit of {wish.edges[-1]:g}\\,s. Instances were drawn with seed",
        f"{wish.seed}.",
        r"\begin{table}[h]\centering\caption{The instances}",
        r"\begin{tabular}{lrrlr}",
        " & ".join(_HEADINGS) + r" \\ \hline",
        *(" & ".join(map(_tex, row)) + r" \\" for row in _rows(chosen, wish, sizes)),
        r"\end{tabular}\end{table}",
        r"\end{document}",
        "",
    ]
    return "\n".join(lines)


def _tex(words: str) -> str:
    return "".join(rf"\{letter}" if letter in "_%&#$" else letter for letter in words)
