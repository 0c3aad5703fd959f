"""The self-test: it finds a backend that is wrong, whatever it is wrong about, and tells how to ask again."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pickle
import re
import shlex
import signal
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from processes import SOON

from tiler import formats
from tiler.ask import solve as ask
from tiler.backends.dlx import Dlx
from tiler.backends.registry import backends, parse_spec
from tiler.cli.main import main
from tiler.formats import json as problems
from tiler.kernels import loading
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.model.wrap import FLAT
from tiler.process import supervisor
from tiler.process.isolate import Outcome, RunEnd
from tiler.render.ticker import Ticker
from tiler.selftest import compare, examples, isolated, random_instances, run, shrinking, summary
from tiler.selftest.brute_force import allowed_tilings
from tiler.selftest.compare import QUESTIONS
from tiler.selftest.examples import Example
from tiler.selftest.run import AskedQuestion, Totals


def leave(monkeypatch: pytest.MonkeyPatch, named: int, *, known: bool = False) -> None:
    """So many named problems are left, and none of the larger ones; no clock stops what makes a problem smaller."""
    some = examples.named_examples()[:named]
    monkeypatch.setattr(examples, "named_examples", lambda: some)
    if not known:
        monkeypatch.setattr(examples, "known_examples", lambda: ())
    monkeypatch.setattr(shrinking, "smaller_ones", partial(shrinking.smaller_ones, seconds=inf))


def run_here(monkeypatch: pytest.MonkeyPatch, problems: int = 0) -> None:
    """The self-test runs in this process, in place of one of its own, with so many drawn problems, and no clock."""

    def unwatched(
        backends: Any,
        seconds: float,
        seed: int,
        *,
        totals: Totals,
        on_tick: Callable[[Totals, AskedQuestion | None], None],
    ) -> None:
        run.run(backends, seed=seed, problems=problems, bound=inf, totals=totals, on_ask=lambda asked: on_tick(totals, asked))

    monkeypatch.setattr(isolated, "run", unwatched)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch)


@pytest.mark.long
def test_all_that_is_installed_is_right(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    leave(monkeypatch, 3)
    monkeypatch.setattr(isolated, "run", partial(isolated.run, problems=0, bound=10 * SOON))
    assert main(["selftest", "--minutes", "100", "--solver", "dlx", "--solver", "backtracking"]) == 0
    out = capsys.readouterr().out
    # The verdict comes first, and never without what was not tried.
    answers = r"\d+ problems?, \d+ of them with tilings; \d+ answers compared with a brute force\n"
    assert re.match(rf"every answer was right, on boards of up to \d+ cells?; not\s+tried: .*\n(  .*\n)*{answers}", out)
    assert "by solver: backtracking" in out
    assert max(map(len, out.splitlines())) <= 80


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    lattices = list(LATTICES.values())

    def some(seed: int) -> list[str]:
        drawn = Random(seed)
        return [
            random_instances.instance(drawn, lattice, wrapped=wrapped).digest for lattice in lattices for wrapped in (False, True)
        ]

    assert some(1) == some(1) != some(2)


@pytest.mark.parametrize("name", sorted(backends()))
def test_options_that_are_drawn_go_together(name: str) -> None:
    specs = {compare.some_spec(Random(seed), backends()[name]) for seed in range(100)}
    assert all(parse_spec(spec).name == name for spec in specs)
    assert name in specs


def test_every_lattice_and_question_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Random(0)
    for lattice in LATTICES.values():
        for wrapped in (False, True):
            made = random_instances.instance(drawn, lattice, wrapped=wrapped)
            assert made.lattice in (lattice, lattice.plane)
            assert bool(made.wrap) == wrapped
    leave(monkeypatch, 8)
    totals = run.run([backends()["frontier"], Dlx], seed=1, problems=1, bound=inf)
    assert (totals.failures, totals.unanswered, totals.instances, totals.drawn) == ([], [], 9, 1)
    assert set(totals.by(2)) == {*QUESTIONS} - {"prove"}
    assert set(run.COMMANDS) == set(QUESTIONS)


#: By question: the solver that is asked, and what is changed in its result; with nothing to change a tiling is left out.
WRONG: list[tuple[str, str, dict[str, Any]]] = [
    ("decide", "dlx", {"status": "unsat"}),
    ("count", "dlx", {"count": 7_000}),
    ("count up to symmetry", "dlx", {"symmetry": 96}),
    ("list", "dlx", {}),
    ("sample", "frontier", {}),
    ("optimise", "dlx", {"value": 1_000}),
    ("optimise", "dlx", {"value": -1_000}),
]


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(("question", "solver", "changes"), WRONG)
def test_a_wrong_answer_is_found(
    question: str,
    solver: str,
    changes: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = examples.solve

    def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
        answer = whole(instance, backend, asked, **more)
        if asked.goal is not QUESTIONS[question].goal or asked.up_to_symmetry != QUESTIONS[question].up_to_symmetry:
            return answer
        if not changes:
            return dataclasses.replace(answer, solutions=answer.solutions[1:])
        return dataclasses.replace(answer, result=dataclasses.replace(answer.result, **changes))

    monkeypatch.setattr(examples, "solve", solve)
    monkeypatch.chdir(tmp_path)
    assert main(["selftest", "--solver", solver, "--seed", "5"]) == 4
    out = capsys.readouterr().out
    assert re.search(rf"wrong: {solver}, asked to {question} about \*[^*]+\*:\s+it", out)
    assert out.startswith("1 wrong answer; not tried: ")
    (path,) = tmp_path.iterdir()
    written = formats.parse(path.read_text())
    assert written.digest in path.name
    assert written.about.expected.count == len(allowed_tilings(written))
    (again,) = re.findall("^ask again: (.*)$", out, re.MULTILINE)
    command = shlex.split(again)
    assert command[0] == "tiler"
    assert main(command[1:]) == 0


def test_a_wrong_answer_with_options_is_told_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = examples.solve

    def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
        answer = whole(instance, backend, asked, **more)
        if instance.name or asked.goal is not QUESTIONS["count"].goal:
            return answer
        return dataclasses.replace(answer, result=dataclasses.replace(answer.result, count=7_000))

    monkeypatch.setattr(examples, "solve", solve)
    leave(monkeypatch, 0)
    failure = run.run([Dlx], seed=1, problems=9).failure
    assert failure is not None
    assert (failure.name, failure.spec) == ("", "dlx")
    assert failure.wrong.startswith("it counts 7000, not ")
    # Whatever is left out, the answer is wrong.
    assert isinstance(failure.problem, Instance)
    assert (len(failure.problem.board), len(failure.problem.tiles)) == (1, 1)


def test_a_problem_with_a_wrong_answer_is_made_smaller_and_holds_the_right_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that the command that asks again shows that the answer is wrong."""

    def miscounted(right: Any) -> Any:
        def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
            answer = right(instance, backend, asked, **more)
            count = answer.result.count
            if asked.goal is not QUESTIONS["count"].goal or asked.up_to_symmetry or not count or len(instance.board) < 5:
                return answer
            return dataclasses.replace(answer, result=dataclasses.replace(answer.result, count=count - 1, found=count - 1))

        return solve

    monkeypatch.setattr(examples, "solve", miscounted(examples.solve))
    monkeypatch.setattr("tiler.ask.solve.solve", miscounted(ask.solve))
    leave(monkeypatch, 0)
    run_here(monkeypatch, problems=9)
    monkeypatch.chdir(tmp_path)
    assert main(["selftest", "--solver", "dlx", "--seed", "1"]) == 4
    out = capsys.readouterr().out
    (path,) = tmp_path.iterdir()
    written = formats.read(path)
    assert all(len(each.board) < 5 or not allowed_tilings(each) for each in shrinking.one_step_smaller(written))
    number = len(allowed_tilings(written))
    assert written.about.expected.count == number > 0
    (again,) = re.findall("^ask again: (.*)$", out, re.MULTILINE)
    assert main(shlex.split(again)[1:]) == 4
    assert f"counted {number - 1}, but the problem file expects {number}" in capsys.readouterr().err


def test_smaller_problems_have_one_thing_less() -> None:
    instance = formats.parse(
        "# colours: a 0\n# reflections: yes\n# wrap: columns\n# forbid: 1,1 for X\n\nax\nxo\n\nX = 1..2:a\n1\n"
    )
    smaller = list(shrinking.one_step_smaller(instance))
    assert instance not in smaller
    assert sorted(len(each.board) for each in smaller if len(each.board) < 4) == [3, 3, 3]  # The constraint names the fourth.
    for simpler in ({"constraints": ()}, {"wrap": FLAT}, {"reflections": False}, {"optional": frozenset()}):
        assert dataclasses.replace(instance, **simpler) in smaller
    assert any(not each.is_painted for each in smaller)
    assert [each.tiles[0].at_least for each in smaller].count(0) == 1


@pytest.mark.usefixtures("in_this_process")
def test_a_solver_that_is_right_about_small_boards_only_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = examples.solve

    def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
        answer = whole(instance, backend, asked, **more)
        if len(instance.board) <= 30:
            return answer
        return dataclasses.replace(answer, solutions=(), result=dataclasses.replace(answer.result, status="unsat", count=0))

    monkeypatch.setattr(examples, "solve", solve)
    leave(monkeypatch, 0, known=True)
    monkeypatch.chdir(tmp_path)
    assert main(["selftest", "--solver", "dlx"]) == 4
    out = " ".join(capsys.readouterr().out.split())
    name = examples.KNOWN[0]
    assert f"about *{name}*: it says unsat, but there are {formats.read(name).about.expected.count} tilings" in out
    assert f"ask again: tiler solve {name} --solver dlx" in out
    assert list(tmp_path.iterdir()) == []


def test_known_problems_are_larger() -> None:
    some = examples.known_examples()
    assert [each.name for each in some] == list(examples.KNOWN)
    assert all(40 <= each.size <= 100 and 0 < each.tilings_there_are < 20 for each in some)
    totals = Totals()
    for number, each in enumerate(some):
        totals.begin(trial := run.Trial(number, each, "dlx", True))
        run._try(trial, totals, 0, inf, inf, lambda asked: None, lambda totals: None)
    assert (totals.failures, totals.unanswered, totals.largest) == ([], [], max(each.size for each in some))
    assert set(totals.by(2)) == {"decide", "count", "list", "count up to symmetry", "list up to symmetry"}


def test_every_command_asks_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = random_instances.instance(Random(4), LATTICES["square"], wrapped=False)
    example = Example.of(made)
    assert example is not None
    Path("p.json").write_text(problems.write(example.weighted.instance))
    for question, command in run.COMMANDS.items():
        solver = {"uses": "frontier", "sample": "frontier", "prove": "coloring"}.get(question, "dlx")
        assert main(shlex.split(command.format(file="p.json", spec=solver))[1:]) in (0, 3), question
        capsys.readouterr()
    assert os.listdir() == ["p.json"]


class Played:
    """In place of the process of the self-test: it has told these things, and then ended so, or hangs."""

    def __init__(self, told: Sequence[tuple[bytes, Any]], outcome: Outcome[None] | None = None) -> None:
        self.told, self.end = told, outcome

    def __call__(self, child: Any, pipe: Path) -> Played:
        writing = os.open(pipe, os.O_WRONLY)
        for kind, value in self.told:
            supervisor.send(writing, kind, pickle.dumps(value))
        os.close(writing)
        return self

    def __enter__(self) -> Played:
        self.ends = os.pipe()
        return self

    def __exit__(self, *error: object) -> None:
        for end in self.ends:
            os.close(end)

    def fileno(self) -> int:
        return self.ends[0]

    def wait(self, seconds: float) -> bool:
        return self.end is not None

    def outcome(self) -> Outcome[None] | None:
        return self.end


ONE_CELL = AskedQuestion("", "one cell", "dlx", "decide", 0)
ASKED = (isolated._ASKING, ONE_CELL)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Totals]:
    """What becomes of such a process, if a thousand seconds pass from one look at the clock to the next."""

    def played(*told: tuple[bytes, Any], outcome: Outcome[None] | None = None, seconds: float = inf) -> Totals:
        monkeypatch.setattr(isolated.isolate, "start", Played(told, outcome))
        monkeypatch.setattr(isolated, "_TICK_SECONDS", 0.0)
        monkeypatch.setattr(isolated, "time", SimpleNamespace(monotonic=partial(next, itertools.count(0.0, 1000.0))))
        totals = Totals()
        isolated.run([Dlx], seconds, totals=totals)
        return totals

    return played


def test_a_process_that_hangs_or_dies_is_told(play: Callable[..., Totals]) -> None:
    (hung,) = play(ASKED).failures
    assert (hung.question, hung.wrong) == ("decide", "it is still at work after 20 s, though its limit was 10 s")
    (dead,) = play(ASKED, outcome=Outcome(RunEnd.CRASHED, exit_status=-signal.SIGKILL)).failures
    assert (dead.question, dead.wrong) == ("decide", "it ended the process: killed by SIGKILL")
    with pytest.raises(KeyboardInterrupt):
        play(ASKED, outcome=Outcome(RunEnd.INTERRUPTED))


def test_what_is_at_work_when_the_time_is_over_has_not_answered(play: Callable[..., Totals]) -> None:
    (late,) = play(ASKED, seconds=10.0).unanswered
    assert (late.question, late.wrong) == ("decide", "it was still at work when the time was over")
    assert play(seconds=10.0) == Totals()  # Nothing was asked yet: it was at work on the brute force.
    # Loading kernels is no time of a solver.
    assert play(ASKED, (isolated._LOADING, True), seconds=1e4) == Totals()
    assert play(ASKED, (isolated._LOADING, True), (isolated._LOADING, False)).failures


def test_what_was_compared_is_kept(play: Callable[..., Totals]) -> None:
    compared = run.run([Dlx], seconds=0.0)
    compared.answers["dlx", "square", "count"] += 1
    told = (ASKED, (isolated._COMPARED, compared))
    assert play(*told, outcome=Outcome(RunEnd.FINISHED)) == compared


@pytest.mark.long
@pytest.mark.parametrize("how", ["hang", "crash"])
def test_a_question_without_an_answer_is_told(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, here = examples.solve, os.getpid()

    def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
        assert os.getpid() != here
        if asked.goal is not QUESTIONS["list"].goal or Path(how).exists():
            return whole(instance, backend, asked, **more)
        Path(how).touch()
        if how == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        while True:
            signal.pause()

    monkeypatch.setattr(examples, "solve", solve)
    monkeypatch.chdir(tmp_path)
    totals = Totals()
    # Time passes while it hangs, and only then.
    later = itertools.count(0.0, 1000.0)
    clock = SimpleNamespace(monotonic=lambda: next(later) if Path("hang").exists() and not totals.failures else 0.0)
    monkeypatch.setattr(isolated, "time", clock)
    leave(monkeypatch, 3)
    isolated.run([Dlx], totals=totals, problems=0, most=2)
    assert psutil.Process().children(recursive=True) == []
    (told,) = totals.failures
    assert (told.words, told.name) == ("dlx, asked to list", "one cell")
    crashed, hung = "it ended the process: killed by SIGKILL", "it is still at work after 20 s, though its limit was 10 s"
    assert told.wrong == (crashed if how == "crash" else hung)
    # It went on behind that question.
    assert totals.instances == 3
    assert summary.verdict(totals).startswith("1 wrong answer; ")


def test_a_solver_that_has_not_answered_when_the_time_is_over_is_told(
    play: Callable[..., Totals], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    late = play(ASKED, seconds=10.0)
    monkeypatch.setattr(isolated, "run", lambda *how, totals, **more: vars(totals).update(vars(late)))
    assert main(["selftest", "--solver", "dlx"]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith(
        "without an answer: dlx: decide of *one cell* (it was still at work when the time was over); not tried: "
    )


@pytest.mark.long
def test_loading_kernels_is_no_time_of_a_solver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a new machine they are compiled, which takes longer than an answer may."""
    whole = examples.solve
    ticks = []

    def monotonic() -> float:
        """A thousand seconds have passed once the parent has read that kernels are loaded, and none before."""
        if not Path("read").exists() or Path("over").exists():
            return 0.0
        Path("looked").touch()
        return 1000.0

    def solve(*how: Any, **more: Any) -> Any:
        if not Path("begun").exists():
            with loading.counted():
                Path("begun").touch()
                while not Path("looked").exists():
                    os.sched_yield()
                Path("over").touch()
        return whole(*how, **more)

    def ticked(totals: Totals, asked: Any) -> None:
        if Path("begun").exists():
            ticks.append(asked)
        if len(ticks) == 2:  # At the first, the message was sent but perhaps not yet read.
            Path("read").touch()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(examples, "solve", solve)
    monkeypatch.setattr(isolated, "time", SimpleNamespace(monotonic=monotonic))
    leave(monkeypatch, 1)
    totals = Totals()
    isolated.run([Dlx], totals=totals, problems=0, on_tick=ticked)
    assert (totals.failures, totals.unanswered) == ([], [])
    assert totals.answers


@pytest.mark.long
def test_the_time_bounds_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the brute force, which looks at no clock."""

    def forever() -> Any:
        while True:
            signal.pause()

    monkeypatch.setattr(examples, "named_examples", forever)
    monkeypatch.setattr(isolated, "_GRACE_SECONDS", 0.1)
    totals = Totals()
    isolated.run([Dlx], 0.1, totals=totals)
    assert psutil.Process().children(recursive=True) == []
    assert not totals.answers


@pytest.mark.usefixtures("in_this_process")
def test_nothing_compared_is_not_right(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    leave(monkeypatch, 3)
    monkeypatch.setattr(Dlx, "refusal", lambda *how: "not today")
    assert main(["selftest", "--solver", "dlx"]) == 3
    out = capsys.readouterr().out
    assert "right" not in out
    assert re.match(r"nothing was compared; not tried: \d+ named problems, [^(]*\(refused\)", out)


def test_questions_that_are_late_are_no_right_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    leave(monkeypatch, 20)
    totals = run.run([Dlx], problems=0, bound=0.0)
    assert totals.failures == []
    assert {each.wrong for each in totals.unanswered} == {"no answer within 0 s"}
    assert "(no answer within 0 s)" in summary.verdict(totals)
    # Two questions with the same words have different options.
    assert len(set(named := summary._questions(totals.unanswered[-6:]).split(", "))) == len(named)
    monkeypatch.setattr(isolated, "run", lambda *how, totals, **more: vars(totals).update(vars(late)))
    late = dataclasses.replace(totals, unanswered=totals.unanswered[:1])
    assert main(["selftest", "--solver", "dlx"]) == 3
    assert "; all other answers were right, on boards of up to " in " ".join(capsys.readouterr().out.split())


def test_named_problems_are_tiny_and_come_in_order() -> None:
    some = examples.named_examples()
    assert {each.name for each in some} == {*examples.BOARDS, *examples.COVERS}
    assert len(some) >= 40
    sizes = [each.size for each in some]
    assert sizes == sorted(sizes)
    assert max(sizes) <= 12
    assert all(len(each.tilings) < 50 for each in some)


#: The others are asked about hundreds of problems elsewhere.
QUICK = {"dlx": (), "backtracking": pytest.mark.long, "matching": pytest.mark.long}


@pytest.mark.parametrize("name", [pytest.param(name, marks=QUICK.get(name, pytest.mark.slow)) for name in backends()])
def test_every_solver_is_right_about_the_named_problems(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = backends()[name]
    if backend.missing() or backend.absent():
        pytest.skip("it is not installed")
    monkeypatch.setattr(examples, "known_examples", lambda: ())  # They are asked about above.
    totals = run.run([backend], problems=0, bound=inf)
    assert [summary.wrong(each) for each in (*totals.failures, *totals.unanswered)] == []
    assert totals.answers


@pytest.mark.usefixtures("in_this_process")
def test_progress_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Ticker, "show", lambda self, progress: said.append(progress.where))
    leave(monkeypatch, 2)
    main(["selftest", "--solver", "dlx"])
    every = len(examples.BOARDS) + len(examples.COVERS)
    assert said[0] == f"named problem 1 of {every}, one cell: dlx, decide"
    assert said[-1].startswith(f"named problem 2 of {every}, ")


@pytest.mark.long
def test_an_interrupt_tells_what_was_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    whole, asked = run.answers, []

    def answers(*how: Any, **more: Any) -> Any:
        asked.append(1)
        if len(asked) > 3:
            raise KeyboardInterrupt
        return whole(*how, **more)

    monkeypatch.setattr(run, "answers", answers)
    assert main(["selftest", "--solver", "dlx"]) == 130
    out = capsys.readouterr().out
    assert "answers compared" in out
    assert " ".join(out.split()).startswith("interrupted: every answer was right, on boards of up to 1 cell; not tried: ")
