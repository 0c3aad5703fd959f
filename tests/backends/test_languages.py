"""Languages of programs by others: what files say, and what answers to them are taken for."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from brute_force import tilings
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver
from strategies import instances

from tiler import formats
from tiler.backends.ilp.program_files import opb_cost
from tiler.backends.languages import FORMS, LANGUAGES, answers, writing
from tiler.backends.languages.writing import WriteRequest
from tiler.backends.sat import dimacs
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance

HEAVY = ["3x2", "4L", "3L", "2", "1"]


@st.composite
def weighed(draw: st.DrawFn) -> Instance:
    """A small instance with weights."""
    instance = draw(instances(max_cells=6, words=False))
    weights = {tile.name: draw(st.integers(-3, 4)) for tile in instance.distinct_tiles}
    named = [instance.distinct_tiles[instance.number_of(tile.name)].name for tile in instance.tiles]
    tiles = tuple(replace(tile, weight=weights[name]) for tile, name in zip(instance.tiles, named, strict=True))
    return replace(instance, tiles=tiles)


def text_of(language: str, instance: Instance, *, optimises: bool = False, spec: str = "") -> str:
    wanted = WriteRequest(language, writing.model_of(language, spec), ["a\ntitle"], optimises)
    content = writing.write(wanted, BoardCover.of(instance)).files[language]
    assert not isinstance(content, bytes)
    return "".join(f"{line}\n" for line in content)


def best_of(instance: Instance) -> int | None:
    weights = {tile.name: tile.weight for tile in instance.distinct_tiles}
    return max((sum(weights[name] for name, _ in tiling) for tiling in tilings(instance)), default=None)


# --- what files say


def solutions(content: str) -> tuple[list[frozenset[int]], int | None]:
    """All solutions of an OPB file, variable by variable, and the least value of its objective."""
    head = re.match(r"\* #variable= (\d+) #constraint= (\d+) #equal= (\d+) intsize= \d+$", content, re.M)
    assert head
    variables, rows, cost = int(head[1]), list[tuple[dict[int, int], bool, int]](), dict[int, int]()
    for line in content.splitlines():
        terms = {int(number): int(weight) for weight, number in re.findall(r"([+-]\d+) x(\d+) ", line)}
        if line.startswith("min:"):
            cost = terms
        elif not line.startswith("*"):
            compared = re.search(r" (>=|=) (-?\d+) ;$", line)
            assert compared
            rows.append((terms, compared[1] == "=", int(compared[2])))
    assert (len(rows), sum(is_equal for _, is_equal, _ in rows)) == (int(head[2]), int(head[3]))

    def possible(true: frozenset[int], known: int) -> bool:
        """Whether the rows can hold whatever becomes of the variables after `known`."""
        for terms, is_equal, bound in rows:
            least = most = 0
            for number, weight in terms.items():
                least += weight * (number in true) if number <= known else min(0, weight)
                most += weight * (number in true) if number <= known else max(0, weight)
            if most < bound or (is_equal and least > bound):
                return False
        return True

    found = [frozenset[int]()]
    for number in range(1, variables + 1):
        found = [each for true in found for each in (true, true | {number}) if possible(each, number)]
    values = [sum(weight for number, weight in cost.items() if number in each) for each in found] if cost else []
    return found, min(values, default=None)


@settings(max_examples=40)
@given(weighed())
def test_opb_has_the_tilings_and_the_heaviest_is_the_cheapest(instance: Instance) -> None:
    content = text_of("opb", instance, optimises=True)
    found, cost = solutions(content)
    assert len(found) == len(set(found)) == len(tilings(instance))
    best = best_of(instance)
    if cost is not None:
        assert cost == -best  # type: ignore[operator]
        assert {opb_cost(content, each) for each in found} >= {cost}
    else:
        assert not best


def test_the_head_of_an_opb_file() -> None:
    lines = text_of("opb", formats.inline(["2x2", "1..2:2", "0..3:1"])).splitlines()
    assert lines[0] == "* #variable= 8 #constraint= 7 #equal= 4 intsize= 3"
    assert lines[1:4] == [
        "* a title",
        '* x1 {"tile": "2", "cells": [[0, 0], [0, 1]]}',
        '* x2 {"tile": "2", "cells": [[1, 0], [1, 1]]}',
    ]
    assert [line for line in lines if not line.startswith("*")][:3] == [
        "+1 x1 +1 x2 +1 x3 +1 x4 >= 1 ;",
        "-1 x1 -1 x2 -1 x3 -1 x4 >= -2 ;",
        "-1 x5 -1 x6 -1 x7 -1 x8 >= -3 ;",
    ]


@settings(max_examples=40)
@given(weighed(), st.sampled_from(["", "sat:encoding=amo-product", "sat:encoding=amk-seqcounter"]))
def test_the_cheapest_model_of_a_wcnf_is_the_heaviest_tiling(instance: Instance, spec: str) -> None:
    content = text_of("wcnf", instance, optimises=True, spec=spec)
    with RC2(WCNF(from_string=content)) as solver:
        model = solver.compute()
        best = best_of(instance)
        assert (model is None) == (best is None)
        if model is not None:
            assert dimacs.wcnf_cost(content, {literal for literal in model if literal > 0}) == solver.cost
            named = {tile.name: tile.weight for tile in instance.distinct_tiles}
            cover = BoardCover.of(instance)
            most = sum(max(0, named.get(cover.names[t], 0)) for t in cover.tile.tolist())
            if spec == "":  # A variable per placement.
                assert solver.cost == most - best  # type: ignore[operator]


def counted(content: str) -> tuple[int, int]:
    """The number of models of a file for model counters, and what they weigh: one by one, by a SAT engine."""
    clauses = [list(map(int, line.split()[:-1])) for line in content.splitlines() if line[0] not in "cp"]
    variables = int(re.search(r"^p cnf (\d+) ", content, re.M)[1])  # type: ignore[index]
    shown = re.search(r"^c p show (.*) 0$", content, re.M)
    projected = list(map(int, shown[1].split())) if shown else list(range(1, variables + 1))
    weights = {int(a): int(b) for a, b in re.findall(r"^c p weight (-?\d+) (-?\d+) 0$", content, re.M)}
    number = total = 0
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        while solver.solve():
            model = set(solver.get_model()) | set(range(-variables, 0))
            made = [v if v in model else -v for v in projected]
            number += 1
            total += math.prod(weights.get(literal, 1) for literal in made)
            solver.add_clause([-literal for literal in made])
    return number, total


@settings(max_examples=40)
@given(weighed(), st.booleans())
def test_model_counters_are_asked_for_the_tilings(instance: Instance, weights: bool) -> None:
    found, named = tilings(instance), {tile.name: tile.weight or 1 for tile in instance.distinct_tiles}
    wanted = sum(math.prod(named[name] for name, _ in tiling) for tiling in found)
    for kind in ("wmc", "pwmc") if weights else ("mc", "pmc"):
        try:
            content = text_of(kind, instance)
        except BadOption:
            assert kind in ("mc", "wmc")  # Copies have names, or are counted by variables of the encoding.
            continue
        assert content.startswith(f"c t {kind}\nc a title\n")
        assert counted(content) == (len(found), wanted if weights else len(found))


def test_what_multiplies_models_is_refused() -> None:
    instance = formats.inline(["5x4", "2:4L", "4T", "4I"])
    for kind, spec, why in (
        ("mc", "", "tile 4L may be used 2 times, and clauses name its copies, which might multiply models"),
        ("mc", "sat", "variables of this CNF are the encoding's"),
        ("pmc", "sat:encoding=amo-pairwise", "choose an encoding with amk"),
        ("pmc", "sat:symmetry=lex", "leaves out tilings"),
        ("cnf", "sat:encoding=amk-native", "a CNF has clauses only"),
    ):
        with pytest.raises(BadOption, match=why):
            text_of(kind, instance, spec=spec)


def test_who_cannot_tell_weights_says_so() -> None:
    with pytest.raises(BadOption, match="dlx tells no weights; these do: wcnf, opb, lp, mps"):
        text_of("dlx", formats.inline(["2x2", "2"]), optimises=True)


# --- the list


def test_every_language_has_an_own_ending_and_forms_that_there_are() -> None:
    assert len({each.files[0] for each in LANGUAGES.values()}) == len(LANGUAGES)
    assert {form for each in LANGUAGES.values() for form in each.answers} == set(FORMS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_written_by_its_ending(language: str, tmp_path: Path) -> None:
    files = [tmp_path / f"out.{ending}" for ending in LANGUAGES[language].files]
    assert main(["convert", "3x2", "3L", "-o", str(files[0])]) == 0
    assert all(path.stat().st_size for path in files)
    if LANGUAGES[language].is_problem:
        assert len(formats.read(files[0]).board) == 6


# --- what answers are taken for


@pytest.mark.parametrize(
    ("form", "text", "status", "true", "cost", "optimal"),
    [
        ("pb", "o -3\no -4\ns OPTIMUM FOUND\nv -x1 x2\nv x3\n", Status.SAT, {2, 3}, -4, True),
        ("pb", "s SATISFIABLE\nv x1 -x2 \n", Status.SAT, {1}, None, False),
        ("pb", "s UNSATISFIABLE\n", Status.UNSAT, None, None, False),
        ("pb", "s UNSUPPORTED\n", Status.UNKNOWN, None, None, False),
        ("maxsat", "c x\no 7\ns OPTIMUM FOUND\nv 0110\n", Status.SAT, {2, 3}, 7, True),
        ("maxsat", "s SATISFIABLE\no 7\nv -1 2 -3 4 0\n", Status.SAT, {2, 4}, 7, False),
        ("maxsat", "s UNSATISFIABLE\n", Status.UNSAT, None, None, False),
        ("columns", "Optimal - objective value 0\n 0 x0 1 0\n", Status.SAT, {0}, None, True),
    ],
)
def test_answers(form: str, text: str, status: Status, true: set[int] | None, cost: int | None, optimal: bool) -> None:
    said = answers.read(form, text)
    assert (said.status, said.true, said.cost, said.optimal) == (status, true, cost, optimal)


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("c s exact arb frac 7/2\n", Fraction(7, 2)),
        ("c s exact double float 1.5e2\n", Fraction(150)),
        ("c s exact arb int 12\n", Fraction(12)),
    ],
)
def test_sums_of_weights(text: str, weight: Fraction) -> None:
    assert answers.read("weight", text).weight == weight


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("pb", ""),
        ("pb", "s PERHAPS\n"),
        ("pb", "o many\ns SATISFIABLE\n"),
        ("pb", "s SATISFIABLE\nv 1 2\n"),
        ("maxsat", "s SATISFIABLE\nv 012\n"),
        ("maxsat", "o 3\n"),
        ("weight", "c s exact arb frac 7/0x\n"),
        ("weight", "c s approx arb int 7\n"),
        ("weight", ""),
    ],
)
def test_what_is_not_understood(form: str, text: str) -> None:
    with pytest.raises(InputError):
        answers.read(form, text)


# --- convert, an answer, check


def model_of(content: str) -> list[int]:
    with Solver("glucose4", bootstrap_with=CNF(from_string=content).clauses) as solver:
        assert solver.solve()
        model: list[int] = solver.get_model()
    return model


def answered(language: str, content: str) -> Iterator[tuple[str, int, str]]:
    """Answers to a file, right and wrong ones, with the status of `tiler check` and the beginning of what it says."""
    held = "the solution holds; it costs {}; whether another costs less was not checked"
    if language == "opb":
        found, cost = solutions(content)
        best = next(each for each in found if opb_cost(content, each) == cost)
        text = f"s OPTIMUM FOUND\nv {' '.join(f'x{number}' for number in sorted(best))}\n"
        yield f"o {cost}\n{text}", 0, held.format(cost)
        yield f"o {cost - 1 if cost else 1}\n{text}", 4, "wrong: "
        yield text.replace(f"x{max(best)}", f"-x{max(best)}"), 4, "wrong: "
    else:
        with RC2(WCNF(from_string=content)) as solver:
            model = solver.compute()
            cost = solver.cost
        bits = "".join("1" if literal > 0 else "0" for literal in model)
        yield f"o {cost}\ns OPTIMUM FOUND\nv {bits}\n", 0, held.format(cost)
        yield f"o {cost + 1}\ns OPTIMUM FOUND\nv {bits}\n", 4, "wrong: "
        yield f"o {cost}\ns OPTIMUM FOUND\nv 0{bits[1:].replace('1', '0')}\n", 4, "wrong: "
    yield "s UNSATISFIABLE\n", 3, ""


@pytest.mark.parametrize("language", ["opb", "wcnf"])
def test_an_optimum_is_read_back(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, answer = tmp_path / f"out.{language}", tmp_path / "answer.txt"
    shapes = [*HEAVY, "--weight", "4L 7", "--weight", "1 -2"]
    assert main(["convert", *shapes, "-o", str(out), "--optimise"]) == 0
    for text, status, says in answered(language, out.read_text()):
        answer.write_text(text)
        assert main(["check", *shapes, str(answer), "--of", str(out)]) == status
        assert capsys.readouterr().out.startswith(says)


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("wcnf", "o 0\ns OPTIMUM FOUND\nv 1101000101\n"),
        ("opb", "o -5\ns OPTIMUM FOUND\nv x1 x2 -x3 x4 -x5 -x6 -x7 x8 -x9 x10\n"),
        ("json", '[{"tile": "5X", "cells": [[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]]}]\n'),
    ],
)
def test_cells_stay_open_where_most_are_asked_for(
    language: str, answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file that was written says so, as does the answer of `tiler solve`; without either it is no tiling."""
    out, said, problem = tmp_path / f"out.{language}", tmp_path / "answer.txt", ["3x3", "5X"]
    if language == "json":
        assert main(["solve", *problem, "--maximise", "cells", "-o", str(said), "--format", "json"]) == 0
        assert said.read_text().startswith(answer)
        asked = ["check", *problem, str(said)]
    else:
        assert main(["convert", *problem, "-o", str(out), "--maximise", "cells"]) == 0
        said.write_text(answer)
        asked = ["check", *problem, str(said), "--of", str(out)]
    capsys.readouterr()
    assert main(asked) == 0
    holds = capsys.readouterr().out
    assert holds.startswith("the solution holds")
    assert ("cells may stay open, as `maximise cells` asks" in holds) == (language != "json")
    if language == "json":
        said.write_text(answer)
    else:
        out.write_text(out.read_text().replace("maximise cells", "maximise 5X"))
    assert main(asked) == 4
    assert "(0, 0) is not covered, nor are 3 others" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "status", "says"),
    [
        ("c o\ns mc 11\n", 0, "the count holds: auto counts 11 too\n"),
        ("s mc 12\n", 4, "it says 12, but auto counts 11\n"),
        ("s UNSATISFIABLE\n", 4, "it says 0, but auto counts 11\n"),
    ],
)
def test_a_count_is_compared_with_ours(
    answer: str, status: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, told = tmp_path / "out.cnf", tmp_path / "answer.txt"
    assert main(["convert", "4x3", "2", "-o", str(out), "--format", "pmc"]) == 0
    told.write_text(answer)
    assert main(["check", "4x3", "2", str(told), "--of", str(out)]) == status
    assert capsys.readouterr().out.endswith(says)


def test_a_count_is_compared_with_what_the_problem_expects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem, out, told = tmp_path / "p.txt", tmp_path / "out.mc", tmp_path / "answer.txt"
    problem.write_text("# count: 11\n4x3\n\n2\n")
    assert main(["convert", str(problem), "-o", str(out)]) == 0
    told.write_text("s mc 10\n")
    assert main(["check", str(problem), str(told), "--of", str(out)]) == 4
    assert capsys.readouterr().out.endswith("it says 10, but the problem file expects 11\n")


@pytest.mark.parametrize(
    ("weight", "answer", "status", "says"),
    [
        ("2 3", "arb int 3403", 0, "the sum holds: auto weighs 3,403 too\n"),
        ("2 3", "double float 3403.0000001", 0, "the sum holds to nine digits: it says 3403, and auto weighs 3,403\n"),
        ("2 3", "double float 3403.001", 4, "it says 3403001/1000, but auto weighs 3,403\n"),
        ("2 3", "arb int 131", 4, "it says 131, but auto weighs 3,403\n"),
        ("2 0", "arb int 131", 0, "the sum holds: auto weighs 131 too\n"),
        ("2 -1", "arb int -5", 0, "the sum holds: auto weighs -5 too\n"),
    ],
)
def test_a_sum_of_weights_is_compared_with_ours(
    weight: str, answer: str, status: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sets of 0 to 4 dominoes that do not overlap in 3x3 are 1, 12, 44, 56 and 18."""
    out, told = tmp_path / "out.wmc", tmp_path / "answer.txt"
    problem = ["3x3", "2", "1", "--weight", weight]
    assert main(["convert", *problem, "-o", str(out)]) == 0
    told.write_text(f"c s exact {answer}\n")
    assert main(["check", *problem, str(told), "--of", str(out)]) == status
    assert capsys.readouterr().out.endswith(says)


@pytest.mark.parametrize("language", ["lp", "mps"])
def test_columns_are_read_back(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, told = tmp_path / f"out.{language}", tmp_path / "answer.txt"
    assert main(["convert", "2x2", "2", "-o", str(out)]) == 0
    cells = {int(n): line for n, line in re.findall(r"x(\d+) (\{.*\})", out.read_text())}
    chosen = [n for n, line in cells.items() if line.endswith(("[[0, 0], [0, 1]]}", "[[1, 0], [1, 1]]}"))]
    told.write_text("Optimal - objective value 0\n" + "".join(f"  {n} x{n}  1  0\n" for n in chosen))
    assert main(["check", "2x2", "2", str(told), "--of", str(out)]) == 0
    told.write_text(f"Optimal - objective value 0\n  {chosen[0]} x{chosen[0]}  1  0\n")
    assert main(["check", "2x2", "2", str(told), "--of", str(out)]) == 4


def test_what_minizinc_prints_is_read_back(tmp_path: Path) -> None:
    out, told = tmp_path / "out.mzn", tmp_path / "answer.txt"
    assert main(["convert", "2x2", "2", "-o", str(out)]) == 0
    for text, status in (
        ("2: 0,0 0,1\n2: 1,0 1,1\n----------\n", 0),
        ("2: 0,0 0,1\n----------\n", 4),
        ("=====UNKNOWN=====\n", 3),
    ):
        told.write_text(text)
        assert main(["check", "2x2", "2", str(told), "--of", str(out)]) == status


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["check", "2x2", "2", "answer.txt", "--of", "out.dlx"], "its ending says nothing; answers are read to .cnf, .wcnf"),
        (["convert", "2x2", "2", "-o", "out.xmpuzzle", "--optimise"], "xmpuzzle is the problem itself"),
        (["convert", "2x2", "2", "-o", "out.cnf", "--optimise"], "cnf tells no weights"),
        (["convert", "2x2", "2", "-o", "out.opb", "--solver", "sat"], "a .opb is the model of ilp"),
    ],
)
def test_refused(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("answer.txt", "out.dlx"):
        Path(name).write_text("")
    assert main(arguments) == 2
    assert why in capsys.readouterr().err


# --- programs by others, where they are

PROGRAMS = {
    "opb": ("minisat+ FILE", "sh -c 'sed 1s/.#equal.*// FILE | clasp'"),  # clasp knows the header as it was before 2024
    "cnf": ("minisat FILE OUT", "clasp FILE"),
    "lp": ("glpsol --lp FILE -o OUT",),
}


@pytest.mark.long
@pytest.mark.parametrize(("language", "command"), [(name, command) for name, all_ in PROGRAMS.items() for command in all_])
def test_programs_by_others(language: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needed = "clasp" if "clasp" in command else command.split(maxsplit=1)[0]
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} is not installed")
    out, told = tmp_path / f"out.{language}", tmp_path / "answer.txt"
    best = [] if language == "cnf" else ["--optimise"]
    shapes = [*HEAVY, "--weight", "4L 7", "--weight", "1 -2"]
    assert main(["convert", *shapes, "-o", str(out), *best]) == 0
    words = command.replace("FILE", str(out)).replace("OUT", str(told))
    done = subprocess.run(words, shell=True, capture_output=True, text=True, timeout=60, check=False)
    if "OUT" not in command:
        told.write_text(done.stdout)
    assert main(["check", *shapes, str(told), "--of", str(out)]) == 0
    assert capsys.readouterr().out.startswith("the solution holds")
