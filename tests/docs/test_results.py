"""The figures on the page of results are those of the records."""

from __future__ import annotations

import operator
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

import reference_tables  # noqa: E402

from tiler import formats  # noqa: E402
from tiler.ask.solve import solve  # noqa: E402
from tiler.backends.registry import parse_spec  # noqa: E402
from tiler.bench import corpus  # noqa: E402
from tiler.bench.ratio_intervals import of_factors  # noqa: E402
from tiler.bench.speedup import speedup  # noqa: E402
from tiler.bench.stats import Clock, tabulate  # noqa: E402
from tiler.report.like.fila import PUBLISHED  # noqa: E402
from tiler.report.tables import beside_the_best  # noqa: E402

PAGE = (ROOT / "docs/results.md").read_text()
PROBLEMS = {
    "5x12": "classic/pentominoes-05x12_s",
    "6x10": "classic/pentominoes-06x10_s",
    "8x8 less 2x2": "classic/pentominoes-08x08-hole_s",
    "6x5x2": "classic/pentacubes-6x5x2_s",
    "Soma": "classic/soma_s",
}


@cache
def records(campaign: str) -> list[dict[str, Any]]:
    return list(map(msgspec.json.decode, (ROOT / f"results/reference/{campaign}/runs.jsonl").read_bytes().splitlines()))


def of(campaign: str, spec: str) -> list[dict[str, Any]]:
    """The records of a solver, which may have had other options then, where they are as by default now."""
    name, _, options = parse_spec(spec).spec.partition(":")
    changed = set(str(parse_spec(spec)).partition(":")[2].split(",")) - {""}

    def is_it(recorded: str) -> bool:
        then = dict(part.split("=") for part in recorded.partition(":")[2].split(","))
        common = {part for part in options.split(",") if part.partition("=")[0] in then}
        return recorded.partition(":")[0] == name and common | changed <= {f"{key}={value}" for key, value in then.items()}

    return [record for record in records(campaign) if is_it(record["solver"])]


def solved(campaign: str, spec: str) -> list[float]:
    """The seconds of what a solver answered."""
    return [record["solve_seconds"] for record in of(campaign, spec) if record["category"] in ("correct", "unchecked")]


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    _, _, rest = PAGE.partition(f"\n## {heading}\n")
    table = rest.partition("\n## ")[0]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]


def test_seconds_of_fila() -> None:
    (_, *problems), _, *lines = rows("FILA")
    assert len(lines) == 7
    for spec, *shown in lines:
        runs = {record["instance"]: record for record in of("fila", spec)}
        for problem, text in zip(problems, shown, strict=True):
            run = runs[PROBLEMS[problem]]
            decimals = len(text.partition(".")[2])
            assert text == (run["stop"] if run["count"] is None else f"{run['solve_seconds']:.{decimals}f}"), (spec, problem)


def gains(slower: str, faster: str) -> dict[str, float]:
    """By problem of the table of FILA, how many times as long one takes as the other, where both came to their end."""
    (_, *problems), _, *lines = rows("FILA")
    table = {spec: dict(zip(problems, shown, strict=True)) for spec, *shown in lines}
    pairs = {problem: (table[slower][problem], table[faster][problem]) for problem in problems}
    return {problem: float(a) / float(b) for problem, (a, b) in pairs.items() if "time" not in (a, b)}


def test_what_nof_saves() -> None:
    (low, high) = map(int, re.findall(r"saves (\d+) to (\d+) % of the time here", PAGE)[0])
    saved = [1 - 1 / gain for gain in gains("fila:window=off,nof=off", "fila:window=off").values()]
    assert low - 0.5 <= 100 * min(saved)
    assert 100 * max(saved) <= high + 0.5


@pytest.mark.parametrize(
    ("campaign", "spec", "count"),
    [
        ("thesis", "auto", 204),
        ("thesis", "fila", 203),
        ("thesis", "frontier", 204),
        ("thesis", "dlx", 202),
        ("thesis", "cpsat", 204),
        ("thesis", "backtracking", 202),
        ("thesis", "sat", 193),
        ("thesis", "ilp", 183),
        ("scaled", "auto", 84),
        ("scaled", "ilp", 65),
        ("scaled", "frontier", 54),
        ("scaled", "coloring", 45),
        ("counting", "auto", 23),
        ("models", "ilp:engine=highs,objective=eq-ign", 36),
        ("models", "ilp:engine=cbc,objective=eq-ign", 35),
        ("models", "cpsat:model=placements", 36),
        ("models", "cpsat:model=automaton", 30),
        ("models", "cpsat:model=geometric", 24),
    ],
)
def test_how_many_were_decided(campaign: str, spec: str, count: int) -> None:
    assert len(solved(campaign, spec)) == count
    assert re.search(rf"\b{count}\b", PAGE)


def test_how_well_auto_chooses() -> None:
    """A row for each campaign, as its report has it."""
    shown = {}
    for campaign in ("thesis", "scaled", "counting"):
        beside = beside_the_best(tabulate(records(campaign)))  # type: ignore[arg-type]
        assert beside
        (row,) = (row for row in beside.rows if row[0] == "auto")
        shown[campaign] = list(row[1:-1])
    assert {name.strip("[]").partition("]")[0]: cells for name, *cells in rows("Does `auto` choose well?")[2:]} == shown
    auto, fila = (
        next(1000 * run["solve_seconds"] for run in of("counting", name) if run["instance"] == "classic/pentominoes-03x20_s")
        for name in ("auto", "fila")
    )
    assert f"{auto:.0f} ms on 3x20 by the twelve pentominoes, where `fila` counts in {fila:.0f} ms" in words(
        "Does `auto` choose well?"
    )


def formula(record: dict[str, Any]) -> tuple[int, ...]:
    """The size of the formula that an engine got."""
    return tuple(record["stats"].get(name) for name in ("variables", "clauses", "literals", "constraints"))


def test_what_naming_copies_costs() -> None:
    """Paired by problem, and on how many problems the two are different formulas at all."""
    encodings = {record["solver"].partition("encoding=")[2].partition(",")[0] for record in records("encodings")}
    both = [name[4:] for name in encodings if name.startswith("amk-") and f"amo-{name[4:]}" in encodings]
    table, told = tabulate(records("encodings")), words("SAT encodings")  # type: ignore[arg-type]
    spec = {solver.partition("encoding=")[2].partition(",")[0]: solver for solver in table.solvers}
    gains = {name: speedup(table, spec[f"amk-{name}"], spec[f"amo-{name}"]) for name in both}
    factors = [gain.factor for gain in gains.values() if gain]
    assert f"naming takes {min(factors):.2f} to {max(factors):.2f} times as long" in told
    assert all(gain and gain.is_within_scatter for gain in gains.values())
    gain = gains["kmtotalizer"]
    assert gain
    assert f"{gain.factor:.2f} times (95 %: {gain.low:.2f} to {gain.high:.2f}) on the {gain.number} problems" in told
    assert f"of which {gain.apart} differ in some counter" in told
    named, counted = (
        {run["instance"]: run for run in of("encodings", f"sat:encoding={kind}-kmtotalizer")} for kind in ("amo", "amk")
    )
    other = {problem for problem in named if formula(named[problem]) != formula(counted[problem])}
    assert f"{len(named) - len(other)} of the {len(named)} problems use each counted tile once" in told
    assert len(other) == 6
    slower = [named[problem]["solve_seconds"] / counted[problem]["solve_seconds"] for problem in other]
    assert f"On the other six naming takes {min(slower):.1f} to {max(slower):.1f} times as long" in told


def test_what_naming_a_few_copies_costs() -> None:
    told, table = words("SAT encodings"), tabulate(records("few-copies"))  # type: ignore[arg-type]
    spec = {solver.partition("encoding=")[2].partition(",")[0]: solver for solver in table.solvers}
    decided = {name: len(solved("few-copies", f"sat:encoding={name},cell=seqcounter")) for name in spec}
    counted = [name for name in spec if name.startswith("amk-")]
    others = [decided[name] for name in spec if name not in (*counted, "amo-ordered")]
    assert [decided[name] for name in (*counted, "amo-ordered")] == [40] * 8
    assert (len(counted), len(others)) == (7, 12)
    assert f"The other twelve decide {min(others)} to {max(others)}." in told
    ordered = speedup(table, spec["amk-seqcounter"], spec["amo-ordered"])
    assert ordered
    assert f"and takes {ordered.factor:.2f} times the seconds of `amk-seqcounter`" in told
    both = [name[4:] for name in counted if f"amo-{name[4:]}" in spec]
    gains = {name: gain for name in both if (gain := speedup(table, spec[f"amk-{name}"], spec[f"amo-{name}"]))}
    least, most = (end(gains, key=lambda name: gains[name].factor) for end in (min, max))
    text = f"naming takes {gains[least].factor:.2f} times (`{least}`) to {gains[most].factor:.2f} times (`{most}`) as long"
    assert text in told
    assert f"naming them takes {gains[least].factor:.1f} to {gains[most].factor:.1f} times as long; elsewhere" in PAGE
    assert not any(gain.is_within_scatter for gain in gains.values())
    named = of("few-copies", "sat:encoding=amo-seqcounter,cell=seqcounter")
    fractions = [
        (sum(run["category"] == "correct" for run in runs), len(runs))
        for end in ("_s", "_u")
        if (runs := [run for run in named if run["instance"].endswith(end)])
    ]
    (some, tilable), (none, refuted) = fractions
    assert f"decides {some} of {tilable} boards with a tiling, and {none} of {refuted} without" in told


def test_how_many_problems_of_encodings_were_solved() -> None:
    encodings = {record["solver"].partition("encoding=")[2].partition(",")[0] for record in records("encodings")}
    counts = {name: len(solved("encodings", f"sat:encoding={name}")) for name in encodings - {"amk-native"}}
    assert {name for name, count in counts.items() if count == 34} == {"amo-pairwise"}
    assert set(counts.values()) == {32, 33, 34}


def test_seconds_of_integer_programs() -> None:
    table = tabulate(records("models"))  # type: ignore[arg-type]
    highs, cbc = (next(s for s in table.solvers if f"engine={engine},objective=eq-ign" in s) for engine in ("highs", "cbc"))
    gain = speedup(table, highs, cbc)
    assert gain
    assert f"{gain.factor:.2f} times faster than CBC (95 %: {gain.low:.2f} to {gain.high:.2f})" in PAGE
    for objective, counts in {"eq-ign": (36, 35), "eq-min": (36, 35), "geq-min": (34, 35), "leq-max": (35, 35)}.items():
        specs = (f"ilp:engine={engine},objective={objective}" for engine in ("highs", "cbc"))
        assert tuple(len(solved("models", spec)) for spec in specs) == counts


def test_what_nof_costs_with_one_shape() -> None:
    def seconds(spec: str) -> float:
        return median(solved("cube", spec))

    told, nodes = words("FILA"), {}
    for text, specs in {
        "NOF takes {:.2f} times": ("fila:order=f,window=off,nof=on", "fila:order=f,window=off,nof=off"),
        "with order `e` {:.2f} times": ("fila:order=e,nof=on", "fila:order=e,nof=off"),
    }.items():
        assert text.format(seconds(specs[0]) / seconds(specs[1])) in told
        nodes[text] = {each["stats"]["nodes"] for spec in specs for each in of("cube", spec)}
    assert all(len(each) == 1 for each in nodes.values())
    assert f"`dlx` finds it in {seconds('dlx:order=mrv'):.2f} s, `fila` in {seconds('fila:order=f,window=auto'):.2f} s" in told


def test_what_the_window_gains() -> None:
    """Of all problems that both counted; in 6x5x2 it is not known."""
    without, with_it = (
        {each["instance"]: each["solve_seconds"] for each in of("fila", f"fila:order=f,nof=on,window={window}") if each["count"]}
        for window in ("off", "auto")
    )
    by_problem = {problem: without[problem] / with_it[problem] for problem in without}
    assert f"({by_problem.pop('classic/pentominoes-03x20_s'):.1f} times on 3x20)" in words("FILA")
    assert 2 < by_problem.pop("classic/soma_s") < 2.5
    assert len(by_problem) == 4
    assert all(4 < gain < 5.5 for gain in by_problem.values())


def test_orders_of_tiles() -> None:
    orders = {
        name: sum(solved("heuristics", f"backtracking:order={name}")) for name in ("default", "frequent", "rare", "fill-row")
    }
    assert (min(orders, key=lambda name: orders[name]), max(orders, key=lambda name: orders[name])) == ("frequent", "rare")
    assert sum(solved("heuristics", "dlx:filter=dead+volume+parity")) > sum(solved("heuristics", "dlx"))


def test_auto_against_the_best_of_the_others() -> None:
    best: dict[str, float] = {}
    mine = {}
    for record in records("counting"):
        if record["category"] in ("correct", "unchecked"):
            name, seconds = record["instance"], record["solve_seconds"]
            if record["solver"].startswith("auto:"):
                mine[name] = seconds
            else:
                best[name] = min(best.get(name, seconds), seconds)
    assert best.keys() < mine.keys()
    assert len(mine.keys() - best.keys()) == 3
    factors = [mine[name] / seconds for name, seconds in best.items() if seconds > 0.01]
    assert f"it takes at most {max(factors):.1f} times as long" in words("Counting")


def test_sums_and_the_slowest() -> None:
    for solver in ("frontier", "auto", "cpsat"):
        assert f"| `{solver}` | 204 | {sum(solved('thesis', solver)):.1f} |" in PAGE
    assert f"`auto` takes at most {max(solved('thesis', 'auto')):.2f} s" in PAGE
    auto, frontier = (
        sum((each["warm"] or {"first_seconds": each["solve_seconds"]})["first_seconds"] for each in of("thesis", solver))
        for solver in ("auto", "frontier")
    )
    assert f"first runs is {auto:.1f} s for `auto` and {frontier:.1f} s for `frontier`" in words(
        "The 204 instances of the thesis"
    )
    fastest: dict[str, tuple[float, str]] = {}
    for each in records("thesis"):
        if each["category"] == "correct":
            mine = (each["solve_seconds"], each["solver"].partition(":")[0])
            fastest[each["instance"]] = min(fastest.get(each["instance"], mine), mine)
    times = Counter(name for _, name in fastest.values())
    assert f"`backtracking` is the fastest on {times['backtracking']} problems" in words("The 204 instances of the thesis")
    quick = sum(seconds < 8e-4 for seconds in solved("thesis", "backtracking")) / 204
    assert 0.65 < quick < 0.75, "seven in ten"
    late = [record["instance"] for record in of("thesis", "dlx") if record["status"] == "unknown"]
    assert sorted(late) == ["2/corners-08x10_u", "4I/14x14_u"]


def test_how_the_seconds_of_sat_divide() -> None:
    quick = [each for each in of("thesis", "sat") if each["category"] == "correct" and each["solve_seconds"] < 0.3]
    whole = median(each["solve_seconds"] for each in quick)
    model, engine = (median(each["stats"][key] for each in quick) for key in ("model_seconds", "engine_seconds"))
    told = " ".join((ROOT / "docs/tutorials/research.md").read_text().split())
    assert f"On the {len(quick)} problems of the thesis that `sat` answered in less than 0.3 s" in told
    assert f"took {1000 * whole:.0f} ms: {1000 * model:.1f} ms to make the clauses, {1000 * engine:.1f} ms in the engine" in told


def test_the_campaigns_are_listed_in_one_place() -> None:
    """By their titles, beside their folders; the pages refer to that. Each has a record."""
    files = sorted((ROOT / "results/reference").glob("*.toml"), key=lambda path: path.stem)
    titles = {path.stem: tomllib.loads(path.read_text())["title"] for path in files}
    listed = re.findall(r"^\| \[([^|]+)\]\(.+?\) \| ([^|]+) \| \d", (ROOT / "results/reference/README.md").read_text(), re.M)
    folders = {path.parent.name for path in (ROOT / "results/reference").glob("*/runs.jsonl")}
    assert folders - {"corpus"} == set(titles), "drawn instances have no file of their own"
    assert listed == list(titles.items())


@pytest.mark.parametrize("file", sorted((ROOT / "results/reference").glob("*.toml")), ids=lambda path: path.stem)
def test_every_filter_of_a_campaign_fits_some_problem(file: Path) -> None:
    plan = tomllib.loads(file.read_text())
    names = corpus.names(file.parent / plan["problems"] if "problems" in plan else ROOT / "problems")
    for part in (plan, *plan.get("part", ())):
        for pattern in part.get("filter", ()):
            assert any(corpus.fits(name, pattern) for name in names), pattern


def decided_by(campaign: str, problems: Collection[str] | None = None) -> Counter[str]:
    """How many problems, of some or of all, each solver decides."""
    runs = (each for each in records(campaign) if problems is None or each["instance"] in problems)
    return Counter(each["solver"] for each in runs if each["category"] in ("correct", "unchecked"))


@dataclass(frozen=True)
class CellsToo:
    """A campaign in which the encoding under test is that of the cells too."""

    solvers: int
    formulas: int  #: the most different ones on an instance without counted tiles
    rest: Counter[str]  #: how many of the other instances each solver decides
    factors: dict[str, float]  #: how many times the seconds of the default each takes, paired by problem; the fastest first

    @classmethod
    def of(cls, campaign: str, same: Collection[str]) -> CellsToo:
        """Where no tile is counted, all of them decide everything."""
        rest = decided_by(campaign, {each["instance"] for each in records(campaign)} - set(same))
        assert set(decided_by(campaign, same).values()) == {len(same)}
        formulas: defaultdict[str, set[tuple[int, ...]]] = defaultdict(set)
        for run in records(campaign):
            if "engine=minicard" not in run["solver"]:
                formulas[run["instance"]].add(formula(run))
        runs = (run for run in records(campaign) if run["status"] != "unknown")
        seconds = {(run["solver"], run["instance"]): run["solve_seconds"] for run in runs}
        (default,) = (each for each in rest if "encoding=amk-auto" in each)
        factors = {
            other: geometric_mean(
                took / seconds[default, problem]
                for (solver, problem), took in seconds.items()
                if solver == other and (default, problem) in seconds
            )
            for other in rest
        }
        order = sorted(factors, key=factors.__getitem__)
        return cls(len(rest), max(len(formulas[problem]) for problem in same), rest, {each: factors[each] for each in order})

    def extremes(self, worst: str, best: str) -> tuple[int, int]:
        """How many the encodings with these names decide, than which none decides fewer, or more."""
        least, most = (next(count for solver, count in self.rest.items() if name in solver) for name in (worst, best))
        assert (least, most) == (min(self.rest.values()), max(self.rest.values()))
        return least, most


def test_the_least_and_the_most_of_the_thesis_s_tables() -> None:
    table = {cells[0]: cells for cells in rows("The thesis's tables")[2:]}
    for campaign, (_, configurations, least, most) in table.items():
        done: Counter[str] = Counter({each["solver"]: 0 for each in records(campaign)})
        done.update(decided_by(campaign))
        ours = {solver: count for solver, count in done.items() if "cell=at-least" not in solver}
        if campaign == "thesis-backtracking":
            ours = {solver: count for solver, count in ours.items() if not solver.startswith("dlx")}
        counts = sorted(ours.values())
        assert [str(len(ours)), str(counts[0]), str(counts[-1])] == [configurations, least[:3].strip(" ,"), most[:3]], campaign
    engines = decided_by("thesis-engines")
    told = words("The thesis's tables")
    for name, spec in {
        "CryptoMiniSat decides {}": "sat:engine=cryptominisat",
        "CaDiCaL {};": "sat:engine=cadical195",
        "HiGHS {}": "ilp:engine=highs",
        "CBC {}.": "ilp:engine=cbc",
        "all {} that": "ilp:engine=gurobi,objective=eq-ign,tuning=default",
        "`geq-min` {} and": "ilp:engine=gurobi,objective=geq-min",
        "`leq-max` {}, and": "ilp:engine=gurobi,objective=leq-max",
    }.items():
        (number,) = (
            engines[solver] for solver in {each["solver"] for each in of("thesis-engines", spec)} if "at-least" not in solver
        )
        assert name.format(number) in told
    counted, named = (
        [n for spec, n in decided_by("thesis-sat-default-cells").items() if f"encoding={kind}" in spec and "cell=auto" in spec]
        for kind in ("amk", "amo")
    )
    assert f"CaDiCaL decides {min(named)} to {max(named)} and {min(counted)} to {max(counted)}." in told
    sizes: dict[str, Counter[tuple[int, ...]]] = {}
    for run in records("thesis-sat-default-cells"):
        if "cell=auto" in run["solver"] and "engine=cadical195" in run["solver"]:
            sizes.setdefault(run["instance"], Counter())[formula(run)] += 1
    same = {problem for problem, found in sizes.items() if found.total() == max(found.values())}
    assert f"But on {len(same)} of the 204 instances no tile is counted" in told
    alone = {name: decided_by("thesis-sat-default-cells", some) for name, some in (("same", same), ("rest", sizes.keys() - same))}
    own = [spec for spec in alone["rest"] if "cell=auto" in spec and "engine=cadical195" in spec]
    assert f"all {len(own)} encodings" in told
    assert {alone["same"][spec] for spec in own} == {len(same)}
    rest = [alone["rest"][spec] for spec in own]
    assert f"the other {204 - len(same)}, and decide {min(rest)} to {max(rest)} of these." in told
    sat, cms = (CellsToo.of(campaign, same) for campaign in ("thesis-sat", "thesis-cryptominisat"))
    assert f"On these {len(same)} instances all {sat.solvers} and all {cms.solvers} decide everything again" in told
    assert f"by up to {max(sat.formulas, cms.formulas)} different formulas." in told
    assert (
        "CaDiCaL decides {} (`amo-totalizer`) to {} (`amo-cardnetwrk`), Crypto".format(*sat.extremes("amo-totalizer", "amo-card"))
        in told
    )
    assert "MiniSat {} (`amo-totalizer`) to {} (`amo-commander`).".format(*cms.extremes("amo-totalizer", "amo-commander")) in told
    fastest, *_, slowest = sat.factors
    assert ("engine=minicard" in fastest, "amo-sortnetwrk" in slowest) == (True, True)
    assert f"an encoding takes {sat.factors[fastest]:.2f} times as long" in told
    assert f"to {sat.factors[slowest]:.2f} times (`amo-sortnetwrk`;" in told
    _, fastest, *_, slowest = cms.factors
    assert ("amo-auto" in fastest, "amo-sortnetwrk" in slowest) == (True, True)
    text = f"with CryptoMiniSat {cms.factors[fastest]:.2f} (`amo-auto`) to {cms.factors[slowest]:.2f} times (`amo-sortnetwrk`)"
    assert text in told
    everywhere = {each["instance"] for each in records("thesis-cryptominisat-default-cells") if "cell=at-least" in each["solver"]}
    assert f"of {len(everywhere)} instances" in told
    cells = decided_by("thesis-cryptominisat-default-cells", everywhere)
    least, exactly = ([n for spec, n in cells.items() if f"cell={cell}" in spec] for cell in ("at-least", "auto"))
    assert f"CryptoMiniSat {min(least)} to {max(least)}, by encoding" in told
    assert f"CryptoMiniSat decides {min(exactly)} to {max(exactly)}." in told
    adjusted = decided_by("thesis-gurobi")
    numbers = [adjusted[spec] for objective in ("eq-min", "geq-min", "leq-max") for spec in adjusted if f"={objective}" in spec]
    assert "{}, {} and {}.".format(*numbers) in told


def test_the_tables_of_the_thesis_ask_about_all_its_instances() -> None:
    """But those that choose some; each stands in the page beside it with its runs."""
    folder = ROOT / "results/reference"
    names, larger = ({record["instance"] for record in records(name)} for name in ("thesis", "scaled"))
    files = (path for path in sorted(folder.glob("thesis-*.toml"), key=lambda path: path.stem) if path.with_suffix("").is_dir())
    plans = {path.stem: tomllib.loads(path.read_text()) for path in files}
    assert {name for name, plan in plans.items() if "filter" in plan} <= {"thesis-breakid", "thesis-gurobi"}
    for name, plan in plans.items():
        asked = {record["instance"] for record in records(name)}
        wanted = names | larger if name == "thesis-representatives" else names
        patterns = [pattern for part in (plan, *plan.get("part", ())) for pattern in part.get("filter", ())]
        if "filter" not in plan:
            assert asked == wanted, name
        elif "tag" in plan:
            assert asked < names, name
        else:
            assert all(any(corpus.fits(problem, pattern) for pattern in patterns) for problem in asked), name
    runs = [(name, f"{len(records(name)):,}") for name in plans]
    assert runs == re.findall(r"^\| `(thesis-.+)` \| ([\d,]+) \|", (folder / "README.md").read_text(), re.M)


def test_what_breakid_saves() -> None:
    """Conflicts as MiniSat tells them, and seconds of whole runs; of problems that are decided with it and without."""
    runs: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for each in records("thesis-breakid"):
        runs[each["instance"], each["solver"].partition(":")[0]].append(each)
    problems = sorted({problem for problem, _ in runs})

    def told(problem: str, solver: str) -> tuple[int, float] | None:
        asked = runs[problem, solver]
        if any(each["status"] == "unknown" for each in asked):
            return None
        (conflicts,) = {int(line.split()[2]) for each in asked for line in each["stats"]["log"] if line.startswith("conflicts")}
        return conflicts, median(each["solve_seconds"] for each in asked)

    def beside(usual: str, other: str) -> dict[str, tuple[tuple[int, float], tuple[int, float]]]:
        both = ((problem, told(problem, usual), told(problem, other)) for problem in problems)
        return {problem: (before, after) for problem, before, after in both if before and after}

    def ratio(pairs: Iterable[tuple[tuple[int, float], tuple[int, float]]], which: int) -> str:
        return f"{geometric_mean(after[which] / before[which] for before, after in pairs):.2f}"

    said = words("Symmetry breaking")
    pairs = beside("minisat pairs", "breakid pairs")
    fewer, more, equal = (
        [name for name, (before, after) in pairs.items() if test(after[0], before[0])]
        for test in (operator.lt, operator.gt, operator.eq)
    )
    assert (len(problems), len(pairs), len(fewer), len(more), len(equal)) == (26, 21, 8, 5, 8)
    assert "on 26 problems without a tiling" in said
    assert "BreakID saves conflicts on eight of the 21 that" in said
    assert "On five there are more conflicts, and on eight as many as before" in said
    assert [name.partition("/")[0] for name in equal] == ["few-copies"] * 7 + ["mixed"]
    assert f"takes up to {max(pairs[name][1][1] for name in equal):.1f} s to find nothing" in said
    (before, _), (after, _) = pairs["2/corners-08x10_u"]
    lex = told("2/corners-08x10_u", "minisat pairs lex")
    assert lex
    assert f"{before:,} become {after:,} on 2/corners-08x10 ({lex[0]:,} by our" in said
    differ = ratio((pairs[name] for name in fewer + more), 1)
    assert f"takes {ratio(pairs.values(), 1)} times as long (geometric mean), and {differ} times where the" in said
    ours = beside("minisat pairs", "minisat pairs lex").values()
    assert f"there are {ratio(ours, 0)} times the conflicts, and a run takes {ratio(ours, 1)} times as long" in said
    usual = beside("minisat default", "breakid default")
    changed = {name.partition("/")[0] for name, (before, after) in usual.items() if after[0] != before[0]}
    assert changed == {"2", "3I"}
    assert "BreakID finds symmetries on dominoes and 3I only" in said


def test_what_breakid_saves_on_the_thesis_s_instances() -> None:
    """The solvers without it are in the campaigns of encodings."""

    def key(run: dict[str, Any]) -> tuple[str, ...]:
        options = dict(part.split("=") for part in run["solver"].partition(":")[2].split(","))
        return options["engine"], options["encoding"], options["cell"]

    def by_problem(campaign: str) -> dict[tuple[str, ...], dict[str, dict[str, Any]]]:
        found: defaultdict[tuple[str, ...], dict[str, dict[str, Any]]] = defaultdict(dict)
        for run in records(campaign):
            found[key(run)][run["instance"]] = run
        return found

    told = words("Symmetry breaking")
    broken, plain = by_problem("thesis-sat-breakid"), by_problem("thesis-sat") | by_problem("thesis-cryptominisat")
    both = broken.keys() & plain.keys()
    decided = {
        name: {solver: sum(run["category"] == "correct" for run in runs[solver].values()) for solver in both}
        for name, runs in (("with", broken), ("without", plain))
    }
    names = (("CryptoMiniSat", "cryptominisat"), ("CaDiCaL", "cadical195"))
    engines = [(name, [solver for solver in both if solver[0] == engine]) for name, engine in names]
    assert [len(some) for _, some in engines] == [8, 8]
    for name, some in engines:
        ends = [end(decided[how][solver] for solver in some) for how in ("with", "without") for end in (min, max)]
        assert "{} decides {} to {} with it, {} to {} without".format(name, *ends) in told
    factors = [
        geometric_mean(
            run["solve_seconds"] / plain[solver][problem]["solve_seconds"]
            for problem, run in broken[solver].items()
            if run["category"] == plain[solver][problem]["category"] == "correct"
        )
        for solver in engines[0][1]
    ]
    assert f"and takes {min(factors):.2f} to {max(factors):.2f} times as long" in told
    counters = {solver: [run["stats"] or {} for run in runs.values()] for solver, runs in broken.items()}
    found = {solver: sum(each.get("symmetry_clauses", 0) > 0 for each in some) for solver, some in counters.items()}
    (_, few, _), (_, many, _) = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    assert f"on {min(found.values())} (`{few}`) to {max(found.values())} (`{many}`) of them" in told
    longest = max(each.get("symmetry_seconds", 0) for some in counters.values() for each in some)
    assert f"takes up to {longest:.1f} s." in told


def test_the_demo_of_constraint_programs() -> None:
    runs = {each["solver"].partition(":")[0]: each for each in records("csp-demo")}
    stats = {name: run["stats"] for name, run in runs.items()}
    squares, rectangles = stats["chuffed squares"], stats["chuffed rectangles"]
    told = words("Geometric models")
    assert f"{squares['nodes']:,} nodes with unit squares in `geost` and {rectangles['nodes']:,} with rectangles" in told
    assert f"{squares['engine_seconds']:.2f} s and {rectangles['engine_seconds']:.2f} s of search" in told
    assert f"{runs['gecode rectangles']['solve_seconds']:.0f} s with rectangles, and more than 170 s" in told
    assert runs["gecode squares"]["stop"] == "time"
    nodes = [stats[f"{name} placements"]["nodes"] for name in ("chuffed", "gecode")]
    assert "Chuffed takes {} nodes and Gecode {}".format(*nodes) in told
    everywhere = (each["stats"] or {} for each in records("csp-demo") + records("thesis-csp"))
    assert f"MiniZinc at most {max(each.get('flatten_seconds', 0) for each in everywhere):.1f} s, here and on the" in told


def test_boards_without_a_tiling_are_no_obstacle_for_gurobi() -> None:
    """Seconds of what it decides, and how much CBC decides."""
    gurobi = of("thesis-gurobi", "ilp:engine=gurobi,objective=eq-min,tuning=adjusted")
    assert {each["category"] for each in gurobi} == {"correct"}
    unsolvable, solvable = ([each["solve_seconds"] for each in gurobi if each["instance"].endswith(end)] for end in ("_u", "_s"))
    told = words("The thesis's tables")
    assert f"Gurobi decides all {len(unsolvable)} of them in at most {max(unsolvable):.2f} s" in told
    assert f"and the {len(solvable)} others in at most {max(solvable):.2f} s." in told
    cbc = [each for each in of("thesis-ilp", "ilp:engine=cbc,objective=eq-min,tuning=adjusted") if "/5r-" in each["instance"]]
    none, some = ([each["category"] == "correct" for each in cbc if each["instance"].endswith(end)] for end in ("_u", "_s"))
    assert not any(none)
    assert f"decides none of the {len(none)} boards without a tiling, and {sum(some)} of {len(some)} with one" in told


def test_no_answer_was_wrong() -> None:
    campaigns = [path.parent.name for path in (ROOT / "results/reference").glob("*/runs.jsonl")]
    assert campaigns
    assert all(Counter(record["category"] for record in records(name))["wrong"] == 0 for name in campaigns)


def test_busches_table() -> None:
    """The rows of the table are the runs of the campaign, in its order; what is ours stands below it."""
    (_, *_), _, *lines = rows("Busche's Table 1")
    runs = {(each["instance"].rpartition("/")[2], each["solver"]): each for each in records("busche")}
    by_rows = [runs[row.problem, parse_spec(row.spec).spec] for row in PUBLISHED]
    assert [(line[0], float(line[6])) for line in lines] == [(row.row, row.seconds) for row in PUBLISHED]
    assert [line[1] for line in lines] == [row.spec for row in PUBLISHED]
    for (name, _, fits, ours, no_fits, our_no_fits, _, seconds), record in zip(lines, by_rows, strict=True):
        stats = record["stats"]
        assert record["instance"].rpartition("/")[2] == name.partition("-")[0]
        assert (fits if ours == "the same" else ours) == f"{stats['nodes']:,}"
        if our_no_fits:
            assert (no_fits if our_no_fits == "the same" else our_no_fits) == f"{sum(stats['nofits']):,}"
        assert float(seconds) == pytest.approx(record["solve_seconds"], rel=0.01, abs=0.006)
    took = {row.row: record["solve_seconds"] for row, record in zip(PUBLISHED, by_rows, strict=True)}
    saved = [100 * (1 - took[after] / took[before]) for before, after in (("TC-3", "TC-4"), ("PT-4", "PT-5"))]
    assert "it saves {:.0f} and {:.0f} %".format(*saved) in words("FILA")


def test_auto_on_busches_puzzles() -> None:
    seconds = {each["instance"].rpartition("/")[2]: each["solve_seconds"] for each in of("busche", "auto")}
    told = "`auto` takes {:.2f} s for P, {:.1f} s for TC and {:.1f} s for PT in the same campaign"
    assert told.format(*(seconds[name] for name in ("P", "TC", "PT"))) in words("Busche's Table 1")


def test_seconds_where_sides_match() -> None:
    (_, *solvers), _, *lines = rows("Marks and colours")
    runs = {
        (each["instance"].removeprefix("edges/").removesuffix("_s"), each["solver"].partition(":")[0]): each
        for each in records("marks")
    }
    assert {line[0] for line in lines} == {name for name, _ in runs}
    for name, *shown in lines:
        for solver, text in zip(solvers, shown, strict=True):
            run = runs[name, solver]
            assert text == (run["stop"] if run["count"] is None else f"{run['solve_seconds']:.2f}"), (name, solver)


def test_who_solves_framed_squares() -> None:
    solved = Counter(each["solver"].partition(":")[0] for each in records("framed") if each["category"] == "correct")
    assert solved == {"auto": 10, "dlx": 10, "cpsat": 10, "sat": 10, "fila": 9, "backtracking": 8, "frontier": 8, "ilp": 6}
    most = {name: max(each["solve_seconds"] for each in of("framed", name)) for name in ("auto", "dlx", "cpsat", "sat")}
    assert f"solve all ten in at most {max(most['auto'], most['dlx']):.2f} s" in words("Marks and colours")
    assert f"all ten in up to {max(most['cpsat'], most['sat']):.1f} s" in words("Marks and colours")


def test_auto_against_single_solvers_on_easy_problems() -> None:
    seconds = {
        name: {each["instance"]: each["solve_seconds"] for each in of("thesis", name) if each["category"] == "correct"}
        for name in ("auto", "fila", "dlx", "backtracking")
    }

    def ratio(name: str) -> float:
        return geometric_mean([seconds["auto"][problem] / other for problem, other in seconds[name].items()])

    told = words("The 204 instances of the thesis")
    for name in ("fila", "dlx", "backtracking"):
        assert f"{ratio(name):.1f} times as long as `{name}`" in told


def test_how_many_times_slower_engines_are() -> None:
    tables = [tabulate(records("thesis-representatives"), clock) for clock in (Clock.ENGINE, Clock.SOLVE, Clock.WALL)]
    (dlx,) = (spec for spec in tables[0].solvers if spec.startswith("dlx:"))

    def slower(spec: str, family: str = "") -> list[int]:
        """By each clock how many times as long as dlx it takes."""
        some = (table.only(problems=lambda problem: problem.family.startswith(family)) for table in tables)
        return [round(each.factor) for table in some if (each := speedup(table, dlx, spec))]

    told = words("The 204 instances of the thesis")
    names = ("sat:", "engine=gurobi", "engine=cbc")
    engines = [next(spec for spec in tables[0].solvers if name in spec) for name in names]
    few, everywhere = (list(zip(*(slower(spec, family) for spec in engines), strict=True)) for family in ("many-unique", ""))
    sat, by_gurobi, by_cbc = few[1]
    assert (
        f"`sat:encoding=amk-cardnetwrk` takes {sat} times, Gurobi (`tuning=adjusted`, as in the thesis) {by_gurobi} times" in told
    )
    assert f"and CBC (`ilp`) {by_cbc} times as long as `dlx`" in told
    assert "it is {}, {} and {} times, and by whole processes {}, {} and {} times".format(*few[0], *few[2]) in told
    assert "Over all problems they take {}, {} and {} times as long".format(*everywhere[1]) in told
    ours, gurobi = "thesis-representatives", "ilp:engine=gurobi,tuning=adjusted"
    decided = [len(solved(ours, spec)) for spec in ("sat:encoding=amk-cardnetwrk", "ilp", "dlx", "backtracking")]
    assert "SAT and CBC decide {} and {} of 288, `dlx` {} and `backtracking` {}.".format(*decided) in told
    admitted = {each["instance"] for each in of(ours, gurobi)}
    cbc = sum(each["instance"] in admitted and each["category"] == "correct" for each in of(ours, "ilp"))
    assert len(solved(ours, gurobi)) == len(admitted)
    assert f"Gurobi decides all {len(admitted)} instances that its free licence admits, of which CBC decides {cbc}." in told


def test_who_counts_hexagons() -> None:
    solved = Counter(record["solver"].partition(":")[0] for record in records("hexagonal") if record["category"] == "correct")
    assert [solved[name] for name in ("auto", "dlx", "fila", "frontier")] == [39] * 4
    assert f"count all 39, `backtracking` {solved['backtracking']} and `sat` {solved['sat']}" in " ".join(PAGE.split())


def test_who_counts_tilings_by_two_cells() -> None:
    solved = {
        name: {run["instance"]: run["solve_seconds"] for run in of("pairs", name) if run["count"] is not None}
        for name in ("matching", "frontier", "dlx")
    }
    assert "`matching` counts all {}, `frontier` {} and `dlx` {}".format(*map(len, solved.values())) in words(
        "Dominoes and lozenges"
    )
    both = [solved["frontier"][name] / solved["matching"][name] for name in solved["frontier"]]
    assert f"`matching` is {geometric_mean(both):.1f} times as fast" in words("Dominoes and lozenges")


def test_calendars_counted() -> None:
    told = " ".join(PAGE.split())
    runs = {
        each["solver"].partition(":")[0]: each
        for each in records("calendars")
        if each["goal"] == "count" and each["instance"].endswith("weekdays_s")
    }
    assert (
        "`frontier` counts the latter in {:.2f} s and `auto` in {:.2f} s".format(
            *(runs[name]["solve_seconds"] for name in ("frontier", "auto"))
        )
        in told
    )
    assert {name for name, each in runs.items() if each["count"] is None} == {"dlx", "fila", "backtracking"}


def words(heading: str) -> str:
    """The section below a heading, on one line."""
    return " ".join(PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].split())


def test_the_table_of_campaigns_is_that_of_the_records() -> None:
    assert "\n".join(reference_tables.campaigns()) in (ROOT / "results/reference/README.md").read_text()


def test_nodes_of_the_three_optimisations() -> None:
    (_, *heads), _, *lines = rows("Three optimisations of dancing links")
    specs = ["dlx", "dlx:copies=named", *(f"dlx:copies=named,{head}" for head in heads[2:])]
    nodes = {spec: {each["instance"]: each["stats"].get("nodes", 0) for each in of("optimisations", spec)} for spec in specs}
    late = {
        (each["instance"], parse_spec(each["solver"]).spec) for each in records("optimisations") if each["status"] == "unknown"
    }
    for name, *shown in lines:
        known = [f"{nodes[spec][name]:,}" if (name, parse_spec(spec).spec) not in late else "time" for spec in specs]
        assert known == shown, name
    none = [name for name in nodes["dlx"] if name.startswith("many-unique/5r") and name.endswith("_u")]
    saved = [1 - nodes["dlx:copies=named"][name] / nodes["dlx:copies=named,equal=off"][name] for name in none]
    assert f"saves {100 * min(saved):.0f} to {100 * max(saved):.0f} % of the nodes on the four boards" in words(
        "Three optimisations of dancing links"
    )
    small = [name for name in nodes["dlx"] if re.search("6x6.*_u|06x06_u", name)]
    fewer = [nodes["dlx:copies=named"][name] / nodes["dlx"][name] for name in small]
    assert (round(min(fewer), -1), round(max(fewer), -2)) == (130, 1900)
    specs = (f"{name},cell={cell}" for name in ("amk-auto", "amo-seqcounter") for cell in ("at-least", "auto"))
    assert [len(solved("optimisations", f"sat:encoding={each}")) for each in specs] == [2, 12, 3, 12]


def test_where_symmetry_breaking_pays() -> None:
    told = words("Symmetry breaking")

    def conflicts(record: dict[str, Any]) -> float:
        return float(record["stats"].get("conflicts", 0)) + 1

    def cpu(record: dict[str, Any]) -> float:
        return float(record["cpu_seconds"] - (record["warm"] or {}).get("cpu_seconds", 0.0))

    def ratio(spec: str, verdict: str, of_what: Callable[[dict[str, Any]], float]) -> tuple[float, float, float]:
        plain = {
            (each["instance"], each["seed"]): each for each in of("symmetry", "sat:symmetry=off,anchor=off,encoding=amk-auto")
        }
        factors: dict[str, list[float]] = {}
        for each in of("symmetry", spec):
            other = plain[each["instance"], each["seed"]]
            if "unknown" not in (each["status"], other["status"]) and each["instance"].endswith(verdict):
                factors.setdefault(each["instance"], []).append(of_what(each) / of_what(other))
        return of_factors([prod(some) ** (1 / len(some)) for some in factors.values()])

    lex, anchor = "sat:symmetry=lex,encoding=amk-auto", "sat:anchor=auto,encoding=amk-auto"
    for (mean, low, high), text in (
        (ratio(lex, "_u", conflicts), "{:.2f} times the conflicts ({:.2f} to {:.2f}, 95 % over problems)"),
        (ratio(lex, "_u", cpu), "{:.2f} times the CPU seconds ({:.2f} to {:.2f}), as"),
        (ratio(lex, "_s", cpu), "{:.2f} times the CPU seconds ({:.2f} to {:.2f}), since"),
        (ratio(anchor, "_s", cpu), "({:.2f} of the CPU seconds, {:.2f} to {:.2f})"),
    ):
        assert text.format(mean, low, high) in told
    _, low, high = ratio(lex, "_s", conflicts)
    assert f"the conflicts do not differ surely ({low:.2f} to {high:.2f})" in told
    assert f"saves as many conflicts ({ratio(anchor, '_u', conflicts)[0]:.2f})" in told


def test_geometric_models() -> None:
    models = {"cpsat:model=placements": 35, "gecode placements": 34, "cpsat:model=geometric": 27, "gecode geost": 10}
    for spec, number in models.items():
        found = [each for each in records("geost") if each["solver"].startswith(spec.partition(":")[0])]
        if ":" in spec:
            found = [each for each in found if spec.partition(":")[2] in each["solver"]]
        done = [each for each in found if each["category"] == "correct"]
        assert len(done) == number, spec
        if "gecode" in spec:
            flatten, engine = (median(each["stats"][key] for each in done) for key in ("flatten_seconds", "engine_seconds"))
            whole = median(each["solve_seconds"] for each in done)
            assert f"{flatten:.2f} s" in words("Geometric models")
            assert f"{1000 * engine:.1f} ms of {whole:.2f} s" in words("Geometric models")


def test_how_far_seeds_scatter() -> None:
    told = words("Spread over seeds")

    def spread(spec: str, problem: str, key: str) -> list[int]:
        found = [each for each in of("instability", spec) if each["instance"] == problem]
        return [each["stats"][key] for each in found if each["status"] != "unknown"]

    cbc, highs, cadical = "ilp:tuning=default,engine=cbc", "ilp:engine=highs", "sat:engine=cadical195"
    for spec, key in ((cbc, "nodes"), (highs, "nodes"), (cadical, "conflicts")):
        found = spread(spec, "misc/03_s", key)
        assert f"between {min(found):,} and {max(found):,}" in told
    gurobi = "ilp:engine=gurobi,tuning=adjusted"
    done = [len(spread(spec, "many-unique/5r-04x15_s", "nodes")) for spec in (cbc, highs, cadical)]
    assert done == [5, 10, 10]
    specs = ("cpsat", highs, gurobi, cadical, "sat:engine=glucose4", cbc, "ilp:tuning=adjusted,engine=cbc")
    assert [len(solved("instability", spec)) for spec in specs] == [90, 90, 90, 90, 90, 85, 81]
    problems = sorted({each["instance"] for each in records("instability")})
    found = spread(gurobi, "misc/03_s", "nodes")
    assert f"It takes {min(found)} to {max(found)} nodes on misc/03_s" in told

    def seconds(spec: str) -> tuple[float, float]:
        """How many times the fastest run's seconds the slowest takes: the geometric mean over problems, and the most."""
        runs = of("instability", spec)
        done = (
            [each["solve_seconds"] for each in runs if (each["instance"], each["category"]) == (name, "correct")]
            for name in problems
        )
        factors = [max(some) / min(some) for some in done]
        return geometric_mean(factors), max(factors)

    scatter = {spec: seconds(spec) for spec in specs}
    assert min(scatter, key=lambda spec: scatter[spec]) == gurobi
    assert "takes {:.2f} times as long as the shortest (geometric mean; {:.2f} times at most)".format(*scatter[gurobi]) in told
    beside = (("CP-SAT", "cpsat"), ("CBC", cbc), ("HiGHS", highs))
    assert ", ".join("with {} {:.2f} ({:.1f})".format(name, *scatter[spec]) for name, spec in beside) in told
    conflicts = {problem: spread("cpsat", problem, "conflicts") for problem in problems}
    steady = {problem for problem, found in conflicts.items() if len(set(found)) == 1}
    assert {len(found) for found in conflicts.values()} == {10}
    assert (len(steady), len(problems)) == (7, 9)
    with_tiling = {problem for problem in problems if problem.endswith("_s")}
    assert (len(steady & with_tiling), len(with_tiling)) == (3, 5)
    assert set(problems) - steady == {"misc/03_s", "mixed/3L-4J-10x14_s"}
    assert (
        "on misc/03_s it takes between {} and {}, on mixed/3L-4J-10x14_s between {} and {}".format(
            *(end(conflicts[problem]) for problem in ("misc/03_s", "mixed/3L-4J-10x14_s") for end in (min, max))
        )
        in told
    )


def test_model_counters() -> None:
    done = Counter(each["solver"].partition(":")[0] for each in records("counters") if each["count"] is not None)
    assert done == {"ganak": 5, "clasp": 5, "sat": 4, "dlx": 14, "frontier": 18}


def test_where_others_count_faster() -> None:
    """As whole processes; which of them are ours says their name."""
    told, names = words("Programs of others"), reference_tables.PEERS["peers-counting"]
    runs = {(each["instance"], each["solver"].partition(":")[0]): each for each in records("peers-counting")}
    counted = {key: each["solve_seconds"] for key, each in runs.items() if each["count"] is not None}
    others = {name for _, name in counted if name not in ("dlx", "frontier") and not name.startswith("tiler")}

    def faster(problem: str) -> set[str]:
        return {name for name in others if counted.get((problem, name), 100) < counted[problem, "tiler"]}

    assert {problem: faster(problem) for problem in names if faster(problem)} == {
        "classic/dominoes-08x08_s": {"d4", "tididi", "dxz", "graphillion"},
        "classic/dominoes-10x10_s": {"d4", "graphillion"},
        "classic/soma_s": {"dxz", "pyxcc"},
        "classic/pentominoes-03x20_s": {"dxz", "pyxcc", "exact-cover", "dancing-links"},
    }
    assert all(min(counted[name, each] for each in others if (name, each) in counted) > 1 for name in names if not faster(name))
    start = min(seconds for (_, name), seconds in counted.items() if name == "tiler")
    assert f"the start of Tiler counts, {start:.1f} s on the machine of that day" in told
    done = Counter(name for _, name in counted)
    assert done["dxz"] == done["dlx"] == 9
    both = [problem for problem, name in counted if name == "dxz"]
    ratios = {problem: counted[problem, "dxz"] / counted[problem, "tiler dlx"] for problem in both}
    assert 0.47 < geometric_mean(ratios.values()) < 0.53
    assert 7.5 < ratios["classic/pentominoes-06x10_s"] < 8.5


@pytest.mark.parametrize("campaign", reference_tables.PEERS)
def test_seconds_of_programs_of_others(campaign: str) -> None:
    assert "\n".join(reference_tables.peers(campaign)) + "\n\n" in PAGE


@pytest.mark.slow
def test_counters_of_encodings() -> None:
    _, _, *lines = rows("SAT encodings")
    assert len(lines) == 6
    problems = (formats.read(ROOT / "problems/mixed/4Os-4T-06x06_u.txt"), formats.inline(["6x8", "9:4T", "3:4O"]))
    for encoding, *shown in lines:
        stats = [solve(problem, f"sat:encoding={encoding}").result.stats for problem in problems]
        counted = [f"{each[name]:,}" for each in stats for name in ("clauses", "conflicts")]
        assert counted == shown, encoding


@pytest.mark.slow
def test_what_the_linear_relaxation_refutes() -> None:
    _, _, *lines = rows("Integer programs and constraint models")
    assert len(lines) == 4
    for problem, *shown in lines:
        stats = solve(formats.read(ROOT / f"problems/{problem}.txt"), "ilp:engine=highs").result.stats
        refutes = "yes" if stats["relaxation_refutes"] else "no"
        assert [f"{stats['variables']:,}", refutes, f"{stats['nodes']:,}"] == shown, problem


def test_drawn_instances() -> None:
    found = records("corpus")
    told = words("Drawn instances")
    assert f"tried all {len(found)} that were drawn" in told
    for family, in_time, board, late in (
        ("mutilated", "12", "12x12", "14"),
        ("mutilated-cylinder", "10", "10x10", "12"),
        ("mutilated-torus", "08", "8x8", "10"),
    ):
        seconds = [each["solve_seconds"] for each in found if each["instance"].startswith(f"{family}/{in_time}-1")]
        assert f"{board} takes {seconds[0]:.0f} s" in told
        assert {each["status"] for each in found if each["instance"].startswith(f"{family}/{late}-")} == {"unknown"}
