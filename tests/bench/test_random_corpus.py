"""Drawn instances: what families know of them, the grades they are put into, and the files of a set."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from pysat.formula import CNF

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.bench import corpus, families, random_corpus
from tiler.bench.families import FAMILIES
from tiler.cli.main import main
from tiler.model.expected import Status
from tiler.question.question import Goal, Question


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_what_a_family_knows_is_so(family: families.Family) -> None:
    for size in range(family.least, family.least + 2 * family.step, family.step):
        for number in (1, 2, 3):
            made = families.instance(family, 5, size, number)
            known = made.about.expected.verdict
            assert solve(made, "dlx").result.status is known
            if known is Status.UNSAT:
                proof = solve(made, "coloring", Question(Goal.PROVE)).result.certificate
                assert proof is not None
                assert checker.error_in(made, proof) is None


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_the_seed_draws_the_instance(family: families.Family) -> None:
    size = family.least + family.step
    made = [families.instance(family, seed, size, number) for seed in (1, 2) for number in (1, 2)]
    assert families.instance(family, 1, size, 1) == made[0]
    assert len({each.digest for each in made}) > 1


@pytest.mark.parametrize(("grade", "name"), [(0, "0s-to-0.5s"), (1, "0.5s-to-2s"), (2, "2s-to-10s"), (3, "over-10s")])
def test_grades_have_names(grade: int, name: str) -> None:
    assert random_corpus.in_words(grade, (0.5, 2.0, 10.0)) == name


def test_a_set_is_written_and_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    # A limit that no size but the least keeps to: what is written does not depend on how fast the machine is.
    command = ["corpus", str(out), "--family", "mutilated", "--tries", "1", "--each", "2", "--grades", "0.001ms", "--seed", "3"]
    assert main(command) == 0
    told = capsys.readouterr()
    assert told.out == "0s-to-1e-06s: 0 instances\nover-1e-06s: 1 instance\n"
    assert "mutilated/04-1_u  not decided in time (unsat, by how it is drawn)" in told.err
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()} - {".lock"}
    mine = {f"over-1e-06s/mutilated-04-1_u.{ending}" for ending in ("cnf", "txt")}
    assert files == mine | {"README.md", "description.tex", "SHA256SUMS", "GBDHASHES", "runs.jsonl", "env.json"}
    for line in (out / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    cnf = CNF(from_file=str(out / "over-1e-06s/mutilated-04-1_u.cnf"))
    row = f"over-1e-06s/mutilated-04-1_u | {cnf.nv} | {len(cnf.clauses)} | unsat | over 1e-06"
    assert row in (out / "README.md").read_text()
    assert re.search(r"mutilated-04-1\\_u & \d+ & \d+ & unsat", (out / "description.tex").read_text())
    problem = formats.read(out / "over-1e-06s/mutilated-04-1_u.txt")
    assert problem.digest == families.instance(FAMILIES["mutilated"], 3, 4, 1).digest
    runs = (out / "runs.jsonl").read_text()
    assert main(command) == 0
    assert (out / "runs.jsonl").read_text() == runs
    # It is a folder of problems, records and all; JSON that is no record still is a problem.
    (out / "own.json").write_text('{"board": "2x2", "tiles": ["2"]}')
    assert [each.name for each in corpus.select(out)] == ["over-1e-06s/mutilated-04-1_u", "own"]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_what_a_family_is_needs_no_other(family: families.Family) -> None:
    """A set may be of one family."""
    assert not re.search(r"\b(same (on|as)|like that|likewise)\b", family.about)


def test_easy_ones_go_into_the_first_grade(tmp_path: Path) -> None:
    (family,) = (FAMILIES["striped"],)
    wish = random_corpus.CorpusRequest((family,), 0, 1, (3600.0, 7200.0), "coloring", 1)
    found = random_corpus.draw(wish, tmp_path)
    first = next(found)
    found.close()
    assert (first.grade, first.is_decided, first.instance.name) == (0, True, "striped/06-1_u")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--family", "stripped"], "no family is called 'stripped'; nearest: striped"),
        (["--grades", "10s,1s"], "each must end later than the one before"),
        (["--grades", "10x"], "a duration such as 10s"),
    ],
)
def test_refused(arguments: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", str(tmp_path), *arguments]) == 2
    assert why in capsys.readouterr().err
