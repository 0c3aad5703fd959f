"""Whatever is in a file that is read: it is understood, or one line says what is wrong with it. Nothing else."""

from __future__ import annotations

import io
import json
import os
import select
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import json_texts, spoilt, values
from processes import wait_until
from records import campaign as records_of_a_campaign
from records import without_pdf

from tiler import formats
from tiler.ask.checkpoint import Checkpoint
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.backends.registry import parse_spec
from tiler.bench import campaign as campaign_
from tiler.bench import code_fingerprint, plan, record, store
from tiler.bench.job import key_of
from tiler.bench.judge import judge
from tiler.bench.stats import Clock, series, tabulate
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError, UnknownBackend
from tiler.process import files
from tiler.question import certificate
from tiler.question.question import Goal, Limits, Question
from tiler.report import draw, findings, panels, report, tables

INSTANCE = formats.parse(
    '{"board": [[0, 0], [0, 1], [1, 0], [1, 1]], "optional": [[0, 0]], "title": "t", "tags": ["a"], "name": "n",'
    '"tiles": [{"name": "d", "cells": [[0, 0], [0, 1]], "at_most": 2}, "1"], "expected": {"verdict": "sat"},'
    '"constraints": [{"kind": "within", "tile": "d", "cells": [[0, 0], [1, 1]]}]}'
)
UNSOLVABLE = formats.inline(["4x4", "3I", "4T"])
PARITY = formats.inline(["6x6", "4L"])


@contextmanager
def quiet() -> Iterator[io.StringIO]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as told:
        yield told


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def command(*arguments: str) -> int:
    """The exit status of a command; what is no error of the user's comes out as it is."""
    with pytest.MonkeyPatch.context() as patch, quiet() as told:
        patch.setenv("TILER_TRACEBACK", "1")
        status = main(arguments)
    assert "exhausted" not in told.getvalue()
    assert told.getvalue().count("\n") == (status in (1, 2))
    return status


# --- problems

JSON_OF_INSTANCE = json.loads(formats.json.write(INSTANCE))


@settings(max_examples=300)
@given(json_texts(JSON_OF_INSTANCE))
def test_instances_in_json(text: bytes) -> None:
    with folder() as here:
        (here / "p.json").write_bytes(text)
        try:
            instance = formats.read(here / "p.json")
        except InputError:
            return
        again = formats.parse(formats.json.write(instance))
        assert (again, again.about) == (instance, instance.about)
        if instance.tiles and len(instance.board) < 100:
            BoardCover.of(instance)


@settings(max_examples=150)
@given(spoilt(b"# title: a\n# tags: x, y\n# count: 7\n# within: 2 0,0..1,1\n\nxxx\nxox\n\n1..2:2\n3L\n\n2:\nxx\n.x\n"))
def test_problem_files(text: bytes) -> None:
    with folder() as here:
        (here / "p.txt").write_bytes(text)
        assert command("show", str(here / "p.txt")) in (0, 2)


# --- answers

PROOFS = [
    {"kind": "weights", "weights": [1] * 16, "values": [3, 4]},
    {"kind": "colourings", "colourings": [{"modulus": 2, "weights": [0, 1] * 8, "values": [1, 0]}]},
    {"kind": "removal", "log": [[0, 0, 1, 2], [1, 0, 1, 2, 5]], "then": {"kind": "propagation"}},
    {"kind": "cases", "item": "cell", "number": 0, "branches": [{"placement": [0, 0, 1, 2], "proof": {"kind": "area"}}]},
]
CERTIFICATES = [{"schema": certificate.SCHEMA, "instance": "x", "digest": UNSOLVABLE.digest, "proof": proof} for proof in PROOFS]


@settings(max_examples=300)
@given(st.sampled_from(CERTIFICATES).flatmap(json_texts))
def test_certificates(text: bytes) -> None:
    try:
        found = certificate.parse(text.decode(errors="replace"))
    except InputError:
        return
    assert checker.error_in(UNSOLVABLE, found)
    json.dumps(found.to_json())


def held() -> certificate.Certificate:
    found = solve(PARITY, "coloring").result.certificate
    assert isinstance(found, certificate.Certificate)
    return found


@settings(max_examples=20)
@given(json_texts(held().to_json()))
def test_a_certificate_that_held_does_not_end_the_checker(text: bytes) -> None:
    with suppress(InputError):
        checker.error_in(PARITY, certificate.parse(text.decode(errors="replace")))


def test_a_kind_that_is_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.txt").write_text("4x4\n\n3I\n4T\n")
    (tmp_path / "c.json").write_text(json.dumps({**CERTIFICATES[0], "proof": {"kind": ["area"]}}))
    assert main(["check", str(tmp_path / "p.txt"), str(tmp_path / "c.json")]) == 2
    assert "a proof is an object whose kind is one of area, " in capsys.readouterr().err


SOLUTION = [{"tile": "2", "cells": [[0, 0], [0, 1]]}, {"tile": "2", "cells": [[1, 0], [1, 1]]}]
DIGEST = formats.inline(["2x2", "2"]).digest
SIGNED = {"schema": "tiler-signed-tiling-1", "digest": DIGEST, "signed": [[1, [0, 0, 1]], [1, [0, 2, 3]]]}
CNF = b'c a comment\nc 1 {"tile": "2", "cells": [[0, 0], [0, 1]]}\nc 2 {"tile": "2", "cells": [[1, 0], [1, 1]]}\np cnf 2 0\n'


@settings(max_examples=150)
@given(st.sampled_from([SOLUTION, SIGNED, {"schema": "s", "certificate": CERTIFICATES[0]}, CERTIFICATES[1]]).flatmap(json_texts))
def test_answers(text: bytes) -> None:
    with folder() as here:
        (here / "p.txt").write_text("2x2\n\n2\n")
        (here / "answer").write_bytes(text)
        assert command("check", str(here / "p.txt"), str(here / "answer")) in (0, 2, 4)


@settings(max_examples=100)
@given(spoilt(CNF), spoilt(b"c x\ns SATISFIABLE\nv 1 2\nv 0\n"), json_texts(SOLUTION[0], spoil=False))
def test_answers_of_sat_solvers(cnf: bytes, answer: bytes, meaning: bytes) -> None:
    with folder() as here:
        (here / "p.txt").write_text("2x2\n\n2\n")
        for meanings, told in ((cnf, answer), (CNF, answer), (b"c 1 " + meaning + b"\n", b"s SATISFIABLE\nv 1 0\n")):
            (here / "out.cnf").write_bytes(meanings)
            (here / "answer").write_bytes(told)
            with pytest.MonkeyPatch.context() as patch, quiet():
                patch.setenv("TILER_TRACEBACK", "1")
                assert main(["check", str(here / "p.txt"), str(here / "answer"), "--of", str(here / "out.cnf")]) in (0, 2, 3, 4)


# --- what is no ordinary file


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A named pipe that nobody writes to."""
    monkeypatch.setattr(files, "_PATIENCE_SECONDS", 0.0)
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["count", "PIPE"], "pipe: cannot be read: nobody writes to this pipe"),
        (["bench", "PIPE"], "pipe: cannot be read: nobody writes to this pipe"),
        (["check", "p.txt", "PIPE"], "pipe: cannot be read: nobody writes to this pipe"),
        (["count", "p.txt", "--checkpoint", "PIPE"], "pipe: cannot be read: not an ordinary file"),
        (["solvers", "--load", "PIPE"], "pipe: not an ordinary file"),
        (["solvers", "--load", "/dev/zero"], "/dev/zero: not an ordinary file"),
        (["count", "p.txt", "--checkpoint", "/dev/zero"], "/dev/zero: cannot be read: not an ordinary file"),
        (["report", "/dev/zero"], "/dev/zero/runs.jsonl: cannot be read: Not a directory"),
        (["count", "many.txt"], "many.txt:3: '9999999999999999999999999999999999999...:' is too many copies; write fewer"),
    ],
)
def test_it_is_one_line_at_once(
    arguments: list[str], text: str, pipe: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(pipe.parent)
    Path("p.txt").write_text("2x2\n\n2\n")
    Path("many.txt").write_text(f"2x2\n\n{'9' * 5000}:2\n")
    assert main([str(pipe) if each == "PIPE" else each for each in arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert text in error


@pytest.mark.parametrize("there", ["a pipe", "/dev/zero"])
def test_records_that_are_no_ordinary_file(there: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if there == "a pipe":
        os.mkfifo(tmp_path / store.RUNS)
    else:
        (tmp_path / store.RUNS).symlink_to(there)
    for command in (["report"], ["bench", "--solver", "dlx", "--filter", "classic/soma_s", "-o"]):
        assert main([*command, str(tmp_path)]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "not an ordinary file" in error


@pytest.mark.parametrize("size", [0, 3, 8, 9, 16, 21])
def test_what_is_read_takes_memory_not_what_might_be(size: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content := bytes(range(size)))
    for most in (0, 3, 8, 16, 20, 21, 22, 1 << 62):
        assert files.read_up_to(path, most) == content[:most]
        assert files.rest_of(io.BytesIO(content), most, 8) == content[:most]


def test_a_pipe_is_read_to_its_end(pipe: Path) -> None:
    writing = os.open(pipe, os.O_RDWR)
    with ThreadPoolExecutor(1) as threads:
        content = threads.submit(files.read_up_to, pipe, 100)
        os.write(writing, b"4x4\n\n2\n")
        wait_until(lambda: content.done() or not select.select([writing], [], [], 0)[0])
        os.close(writing)
        assert content.result() == b"4x4\n\n2\n"


def test_whoever_has_a_pipe_open_may_take_its_time(pipe: Path) -> None:
    read, write = os.pipe2(os.O_NONBLOCK)
    assert files._first_byte(read) == b""
    os.close(write)
    assert files._first_byte(read) == b""  # It has written nothing.
    os.close(read)


# --- records

GOOD = records_of_a_campaign()
FULL = {
    **GOOD[0],
    "warm": dict.fromkeys(("runs", "first_seconds", "least_seconds", "most_seconds", "wall_seconds", "cpu_seconds"), 1),
    **{"jobs": 2, "load": 0.5, "error": None, "symmetry": 8, "proved": False, "verified": 1, "seed": 0},
}
COUNTED = {**FULL, "goal": "count", "count": 7, "expected": {"verdict": "sat", "count": 7}, "limits": {"seconds": None}}


def use(records: tuple[record.Record, ...]) -> None:
    """All that is made of records, apart from pictures and files."""
    judged = judge(records)
    for each in judged:
        key_of(each)
    campaign_.summarise(judged)
    code_fingerprint.made_here(judged)
    findings.wrong(judged)
    findings.overhead(judged)
    list(report._surroundings(judged))
    for clock in Clock:
        for some in series(judged):
            table = tabulate(some, clock)
            tables.solvers(table), tables.families(table), tables.speedups(table)
            findings.overall(table), findings.by_family(table), findings.failed(table), findings.trust(table.records)
            panels.context(table)
            draw.group_name(table)
            draw.suitable(table)


@settings(max_examples=200)
@given(st.sampled_from([FULL, COUNTED]).flatmap(json_texts), st.sampled_from([FULL, COUNTED]).flatmap(json_texts))
def test_records(one: bytes, two: bytes) -> None:
    with folder() as here:
        lines = [*(json.dumps(each).encode() for each in GOOD[:2]), one, two]
        (here / store.RUNS).write_bytes(b"\n".join(lines) + b"\n")
        with quiet() as told:
            contents = record.read(here, warn=True)
        assert len(contents.records) >= 2
        skipped = f"{contents.skipped} record{'s' if contents.skipped > 1 else ''}"
        assert told.getvalue() == (
            f"tiler: {skipped} in {here / store.RUNS} cannot be read: skipped\n" if contents.skipped else ""
        )
        use(contents.records)


@settings(max_examples=3)
@given(st.lists(json_texts(FULL, spoil=False), min_size=10, max_size=10))
def test_reports_of_records(lines: list[bytes]) -> None:
    with folder() as here:
        good = [json.dumps(each).encode() for each in GOOD]
        (here / store.RUNS).write_bytes(b"\n".join([*good, *lines]))
        with pytest.MonkeyPatch.context() as patch, quiet():
            patch.setenv("TILER_TRACEBACK", "1")
            without_pdf(patch)
            assert main(["report", str(here), "--kind", "survival", "--kind", "heatmap"]) == 4


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {"jobs": "two"},
            {"environment": 3},
            {"environment": {"cores": "many"}},
            {"expected": 7},
            {"expected": {"verdict": []}},
        ),
        *({"warm": {"runs": []}}, {"warm": 5}, {"load": "high"}, {"started": []}, {"versions": ["1"]}, {"limits": []}),
        *({"solve_seconds": "1"}, {"solve_seconds": float("nan")}, {"cells": 10**30}, {"category": "fine"}, {"status": 1}),
        *(
            {"wall_seconds": None},
            {"limits": {"seconds": 0}},
            {"stats": {"nodes": "1"}},
            {"stats": []},
            {"digest": []},
            {"message": {}},
            {"solver": 3},
            {"instance": None},
        ),
    ],
    ids=str,
)
def test_a_record_with_something_else_in_a_field_is_skipped(
    wrong: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.dumps(each) for each in (FULL, {**FULL, **wrong}, GOOD[1])]
    (tmp_path / store.RUNS).write_text("\n".join(lines))
    contents = record.read(tmp_path, warn=True)
    assert [each["solver"] for each in contents.records] == [FULL["solver"], GOOD[1]["solver"]]
    assert capsys.readouterr().err == f"tiler: 1 record in {tmp_path / store.RUNS} cannot be read: skipped\n"


def test_what_records_have_in_common_is_kept_once(tmp_path: Path) -> None:
    # The name of a file that is no text, a count of a hundred digits, and a field that no record has.
    odd = {**FULL, "instance": "a/\udcff", "goal": "count", "count": 10**100, "versions": {"tiler": "1"}, "new": 1}
    lines = [json.dumps(each) for each in ({**FULL, "versions": {"tiler": "1"}}, odd, {**odd, "count": -1})]
    (tmp_path / store.RUNS).write_text("\n".join(lines))
    contents = record.read(tmp_path)
    one, two = contents.records
    assert (two["instance"], two["count"], "new" in two, contents.skipped) == ("a/\udcff", 10**100, False, 1)
    assert all(one[name] is two[name] for name in ("versions", "environment", "limits", "solver"))


def test_the_user_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    without_pdf(monkeypatch)
    lines = [json.dumps({**FULL, "jobs": "two"})] * 3 + [json.dumps(each) for each in GOOD]
    (tmp_path / store.RUNS).write_text("\n".join(lines))
    for arguments, status in ((["plot", "--kind", "survival"], 0), (["report", "--kind", "survival"], 4)):
        assert main([arguments[0], str(tmp_path), *arguments[1:]]) == status
        assert capsys.readouterr().err == f"tiler: 3 records in {tmp_path / store.RUNS} cannot be read: skipped\n"


# --- campaigns


def toml(value: Any) -> str:
    """A value as TOML has it, on one line; what TOML does not know becomes a text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if value == "@deep":
        return "[" * 100_000
    if value == "@long":
        return "1" * 5000
    return repr(value) if isinstance(value, float) else json.dumps("none" if value is None else value)


PLAN = {"title": "t", "output": "out", "solvers": ["dlx"], "filter": ["a"], "goal": "decide", "time-limit": "1s", "repeat": 1}


@settings(max_examples=250)
@given(st.sampled_from([*PLAN, "tag", "memory-limit", "instances", "part", "x"]), values, st.booleans(), st.booleans())
def test_campaigns(key: str, value: Any, in_a_part: bool, listed: bool) -> None:
    content = "\n".join(f"{name} = {toml(each)}" for name, each in PLAN.items() if in_a_part or name != key)
    content += ("\n[[part]]" if in_a_part else "") + f"\n{key} = {toml([value] if listed else value)}\n"
    read_plan(content.encode("utf-8", "replace"))


@settings(max_examples=100)
@given(spoilt(b'title = "t"\nsolvers = ["dlx", "fila"]\ntime-limit = 2.5\n[[part]]\nrepeat = 3\nfilter = "a*"\n'))
def test_spoilt_campaigns(content: bytes) -> None:
    read_plan(content)


def read_plan(content: bytes) -> None:
    """Read a campaign and list its runs."""
    with folder() as here:
        (here / "c.toml").write_bytes(content)
        (here / "problems").mkdir()
        (here / "problems/a.txt").write_text("2x2\n\n2\n")
        try:
            found = plan.read(str(here / "c.toml"))
            jobs = found.over({"problems": str(here / "problems")}).runs().jobs
        except (InputError, BadOption, UnknownBackend):
            return
        assert all(key_of(job.head) == job.key for job in jobs[:10])


# --- checkpoints

COUNTING = Question(Goal.COUNT)
SOMA = formats.inline(["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"])


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("state") / "state"
    checkpoint = Checkpoint.open(path, SOMA, parse_spec("dlx"), COUNTING)
    solve(SOMA, "dlx", Question(Goal.COUNT, Limits(nodes=1000)), checkpoint=checkpoint)
    return path


def _bytes(draw: Callable[..., Any], path: Path) -> bytes:
    return bytes(draw(spoilt(path.read_bytes())))


@settings(max_examples=80)
@given(st.data())
def test_checkpoints(state: Path, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        content = _bytes(data.draw, state)
    else:
        with np.load(state) as saved:
            arrays = {name: saved[name] for name in saved.files}
        head = data.draw(json_texts(json.loads(str(arrays["head"])))).decode(errors="replace")
        odd = data.draw(st.sampled_from([np.array(head), np.array(head.encode()), np.zeros((2, 2)), np.array(["a", "b"])]))
        out = io.BytesIO()
        np.savez(out, **{**arrays, "head": odd})
        content = out.getvalue()
    with folder() as here:
        (here / "state").write_bytes(content)
        try:
            opened = Checkpoint.open(here / "state", SOMA, parse_spec("dlx"), COUNTING)
        except InputError:
            return
        assert solve(SOMA, "dlx", COUNTING, checkpoint=opened).result.count == 11_520
