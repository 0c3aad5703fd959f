"""Counts that are stopped, killed and continued come to the same number."""

from __future__ import annotations

import json
import math
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from failures import full_disk
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import cpu_seconds, wait_until
from strategies import instances

from tiler import formats
from tiler.ask.checkpoint import Checkpoint
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.backends.searching import driver as driving
from tiler.backends.searching import work_sharing
from tiler.cli import main as cli
from tiler.errors import BadOption, InputError, TilerError
from tiler.model.instance import Instance
from tiler.process.memory import resident_megabytes
from tiler.question.events import Saved
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop
from tiler.version import __version__

SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
FILA = ["fila", "fila:window=off", "fila:order=s", "fila:handoff=3", "fila:handoff=4,order=s"]
SPECS = ["backtracking", "dlx", "dlx:order=first", *FILA, "frontier"]


def count_in_pieces(instance: Instance, spec: str, path: Path, nodes: int, *, up_to_symmetry: bool = False) -> tuple[int, int]:
    """The count of runs that each make so many nodes more, and how many runs that took."""
    backend, runs, reached = parse_spec(spec), 0, nodes
    while True:
        question = Question(Goal.COUNT, Limits(nodes=reached), up_to_symmetry)
        checkpoint = Checkpoint.open(path, instance, backend, Question(Goal.COUNT, up_to_symmetry=up_to_symmetry), seconds=0)
        result = solve(instance, backend, question, checkpoint=checkpoint).result
        runs += 1
        if result.count is not None:
            checkpoint.remove()
            return result.count, runs
        assert result.stop is Stop.NODES
        reached += nodes


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_pieces_add_up(spec: str, up_to_symmetry: bool, tmp_path: Path) -> None:
    instance = formats.inline(SOMA if up_to_symmetry else ["6x6", "2"])
    piece = 2_500 if up_to_symmetry else 5_000
    count, runs = count_in_pieces(instance, spec, tmp_path / "state", piece, up_to_symmetry=up_to_symmetry)
    assert count == (240 if up_to_symmetry else 6728)
    assert runs > 1 or spec == "frontier"  # Which has but 248 states there.
    assert not list(tmp_path.iterdir())


@settings(max_examples=40)
@given(instances(max_cells=12, words=False), st.sampled_from(SPECS), st.booleans(), st.integers(20, 200))
def test_small_pieces_add_up(instance: Instance, spec: str, up_to_symmetry: bool, nodes: int) -> None:
    expected = solve(instance, spec, Question(Goal.COUNT, up_to_symmetry=up_to_symmetry)).result.count
    with tempfile.TemporaryDirectory() as folder:
        assert count_in_pieces(instance, spec, Path(folder) / "s", nodes, up_to_symmetry=up_to_symmetry)[0] == expected


@pytest.mark.parametrize(("spec", "up_to_symmetry"), [("backtracking", False), ("dlx", True)])
def test_counts_go_on_with_another_number_of_threads(
    spec: str, up_to_symmetry: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after an eighth of the nodes each time. Up to symmetry, tilings that are found wait for those before them."""
    for name, seconds in (("ROUND_SECONDS", 0.005), ("STEP_SECONDS", 0.0)):
        monkeypatch.setattr(work_sharing, name, seconds)
    monkeypatch.setattr(driving, "ALONE_SECONDS", 0.0)
    instance, backend = formats.inline(SOMA if up_to_symmetry else ["6x6", "2"]), parse_spec(spec)
    asked = Question(Goal.COUNT, up_to_symmetry=up_to_symmetry)
    whole = solve(instance, backend, asked).result
    for run, threads in enumerate((2, 7, 3, 1, 2, 8, 2, 3, 2, 2), 1):
        most = whole.nodes * run // 8
        question = replace(asked, limits=Limits(threads=threads))
        checkpoint = Checkpoint.open(tmp_path / "state", instance, backend, question, seconds=0)
        result = solve(instance, backend, question, checkpoint=checkpoint, on_tick=lambda now, most=most: now.nodes < most).result
        if result.stop is Stop.DONE:
            break
    assert run > 1
    assert (result.count, result.nodes, result.stats) == (whole.count, whole.nodes, whole.stats)


#: What counts, saving at every look at the clock; first it says whether it goes on from a state.
COUNTING = """
import sys
from pathlib import Path
from tiler import formats
from tiler.ask.checkpoint import Checkpoint
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.question.question import Goal, Question
path, spec, *shapes = sys.argv[1:]
instance, backend, question = formats.inline(shapes, reflections=True), parse_spec(spec), Question(Goal.COUNT)
checkpoint = Checkpoint.open(Path(path), instance, backend, question, seconds=0, share=1)
print("open", checkpoint.saved is not None, flush=True)
print(solve(instance, backend, question, checkpoint=checkpoint).result.count)
"""
DOMINOES = ["7x8", "2"]
COUNTED = [
    # One search of each kind: what is saved of the others is seen to go on above.
    *((spec, DOMINOES, 1_292_697) for spec in ("dlx", "fila")),
    # By tables, and by lists of states for each profile.
    ("frontier", ["7x8", "4I", "4L", "4O", "4S", "4T"], 657_253_434),
    ("frontier", ["5x8", *(f"1:{x}" for x in "FILNPTUV")], 100),
]


@pytest.mark.long
@pytest.mark.parametrize(("spec", "shapes", "count"), COUNTED, ids=[f"{spec} {shapes[0]}" for spec, shapes, _ in COUNTED])
def test_counts_go_on_after_kills(
    spec: str, shapes: list[str], count: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Each kill comes at a random moment after a random number of saves: so there is always a state, and often a new one is
    being written."""
    path, chance = tmp_path / "state", random.Random(spec)
    command = [sys.executable, "-c", COUNTING, str(path), spec, *shapes]

    def saved() -> int:
        return path.stat().st_mtime_ns if path.exists() else 0

    kills = 0
    while kills < (25 if request.config.getoption("--slow") else 1):
        there = path.exists()  # before the process can save
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline() == f"open {there}\n"
            for _ in range(chance.randint(1, 3)):
                before = saved()
                wait_until(lambda p=process, t=before: p.poll() is not None or saved() != t)
            with suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(0, 0.04))
            process.kill()
            out = process.stdout.read()
        if out:  # It was done before: once more from the start.
            assert out == f"{count}\n"
            path.unlink()
        else:
            kills += 1
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert out == f"open True\n{count}\n"
    assert [each.name for each in tmp_path.iterdir()] == ["state"]


@pytest.mark.long
def test_the_command_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "state"
    command = [sys.executable, "-m", "tiler", "count", "8x8", "2", "--checkpoint", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    wait_until(lambda: process.poll() is not None or cpu_seconds(process.pid) >= 1.6)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    if process.returncode == 130:
        # On a slow machine it may not have begun yet: then there is nothing to save, or nothing found.
        assert path.exists() or out == "at least 0\n"
        assert out.startswith("at least ")
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        out = done.stdout
    assert out == "12988816\n"
    assert not path.exists()


def test_checkpoints_of_something_else_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state"
    instance, dlx = formats.inline(SOMA), parse_spec("dlx")
    question = Question(Goal.COUNT)
    solve(instance, dlx, Question(Goal.COUNT, Limits(nodes=1000)), checkpoint=Checkpoint.open(path, instance, dlx, question))
    others = [
        (formats.inline(["8x8", "2"]), dlx, question, "a checkpoint of another instance"),
        (instance, parse_spec("dlx:order=first"), question, "a checkpoint of another solver: dlx:.*, not dlx:.*order=first"),
        (
            instance,
            dlx,
            Question(Goal.COUNT, up_to_symmetry=True),
            "a checkpoint of another goal: count, not count up to symmetry",
        ),
    ]
    for other, backend, asked, text in others:
        with pytest.raises(InputError, match=text):
            Checkpoint.open(path, other, backend, asked)
    with monkeypatch.context() as patch:
        patch.setattr("tiler.kernels.digest.digest", lambda: "f00d")
        with pytest.raises(
            InputError, match=rf"a checkpoint of another version: .*, not {re.escape(__version__)}, compiled code f00d"
        ):
            Checkpoint.open(path, instance, dlx, question)
    for content in (b"", b"nonsense", path.read_bytes()[:-40]):
        path.write_bytes(content)
        with pytest.raises(InputError, match="not a checkpoint of tiler count"):
            Checkpoint.open(path, instance, dlx, question)
    with pytest.raises(BadOption, match="there is no such folder"):
        Checkpoint.open(tmp_path / "no" / "state", instance, dlx, question)


def test_a_full_disk_is_one_line_and_keeps_the_last_state(tmp_path: Path) -> None:
    path = tmp_path / "state"
    instance, dlx, question = formats.inline(SOMA), parse_spec("dlx"), Question(Goal.COUNT)
    checkpoint = Checkpoint.open(path, instance, dlx, question)
    checkpoint.save(Saved({"a": np.zeros(3)}, {}))
    before = path.read_bytes()
    with full_disk(20_000), pytest.raises(TilerError, match="state: cannot be written: File too large; what was there before"):
        checkpoint.save(Saved({"a": np.ones(100_000)}, {}))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["state"]


def test_a_state_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state"
    instance, dlx, question = formats.inline(SOMA), parse_spec("dlx"), Question(Goal.COUNT)
    solve(instance, dlx, Question(Goal.COUNT, Limits(nodes=1000)), checkpoint=Checkpoint.open(path, instance, dlx, question))
    with np.load(path) as data:
        good = {name: data[name] for name in data.files}
    name = next(name for name in good if name != "head" and good[name].size)
    head = json.loads(str(good["head"]))
    for changed in (
        {**good, name: good[name] + 1},
        {**good, name: good[name][:-1]},
        {each: array for each, array in good.items() if each != name},
        {**good, "head": np.array(json.dumps({**head, "note": {"least": 7}}))},
        {**good, "head": np.array(json.dumps({**head, "sum": ["0"]}))},
    ):
        with path.open("wb") as file:
            np.savez(file, **changed)
        with pytest.raises(InputError, match="not as it was written: damaged or changed"):
            Checkpoint.open(path, instance, dlx, question)
    with path.open("wb") as file:
        np.savez(file, **good)
    assert Checkpoint.open(path, instance, dlx, question).saved is not None


def test_refusals_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "state"
    instance, dlx, question = formats.inline(["4x4", "2"]), parse_spec("dlx"), Question(Goal.COUNT)
    Checkpoint.open(path, instance, dlx, question).save(Saved({}, {}))
    for arguments, text in (
        (["6x6", "2"], "a checkpoint of another instance: "),
        (["4x4", "2", "--solver", "backtracking"], "a checkpoint of another solver: dlx:"),
        (["4x4", "2", "--solver", "sat"], "sat cannot save its state; these can: auto, backtracking, dlx, fila, frontier"),
    ):
        assert cli.main(["count", *arguments, "--checkpoint", str(path)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert text in captured.err
        assert captured.err.count("\n") == 1


def test_a_large_state_is_saved_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 10.0, 10.5, 14.0, 59.0, 61.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    instance, dlx, question = formats.inline(["4x4", "2"]), parse_spec("dlx"), Question(Goal.COUNT)
    checkpoint = Checkpoint.open(tmp_path / "state", instance, dlx, question, seconds=5, share=0.01)
    checkpoint.save(Saved({}, {}))  # from 10.0 to 10.5: the next one is due at 60.5
    assert [checkpoint.is_due() for _ in range(3)] == [False, False, True]


def _packed(path: Path, head: str, zeros: int) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, head=np.array(head), stack=np.zeros(zeros, np.int8))


def _lying(path: Path, head: str, zeros: int) -> None:
    """An array that says it has more than there is."""
    with zipfile.ZipFile(path, "w") as parts:
        with parts.open("head.npy", "w") as part:
            np.lib.format.write_array(part, np.array(head))
        with parts.open("stack.npy", "w") as part:
            np.lib.format.write_array_header_1_0(part, {"descr": "|i1", "fortran_order": False, "shape": (zeros,)})
            part.write(bytes(1000))


def _overlapping(path: Path, head: str, zeros: int) -> None:
    """Many names for the same bytes."""
    with zipfile.ZipFile(path, "w") as parts:
        for name, array in (("head.npy", np.array(head)), ("stack.npy", np.zeros(zeros // 100, np.int8))):
            with parts.open(name, "w") as part:
                np.lib.format.write_array(part, array)
        last = parts.infolist()[-1]
        for number in range(100):
            twin = copy(last)
            twin.filename = last.filename
            twin.orig_filename = last.orig_filename = f"stack{number}.npy"
            parts.filelist.append(twin)


@pytest.mark.parametrize("bomb", [_packed, _lying, _overlapping])
def test_a_file_that_says_more_than_it_holds_is_not_unpacked(bomb: Callable[[Path, str, int], None], tmp_path: Path) -> None:
    instance, path, zeros = formats.inline(["4x4", "2"]), tmp_path / "state", 50_000_000
    checkpoint = Checkpoint.open(path, instance, parse_spec("dlx"), Question(Goal.COUNT))
    bomb(path, json.dumps({"of": dict(checkpoint._of), "note": {}, "sum": ""}), zeros)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="not a checkpoint of tiler count"):
            Checkpoint.open(path, instance, parse_spec("dlx"), Question(Goal.COUNT))
        assert tracemalloc.get_traced_memory()[1] < zeros / 5
    finally:
        tracemalloc.stop()


def test_a_state_that_is_larger_than_the_memory_limit_is_not_read(tmp_path: Path) -> None:
    instance, path, dlx = formats.inline(["4x4", "2"]), tmp_path / "state", parse_spec("dlx")
    Checkpoint.open(path, instance, dlx, Question(Goal.COUNT)).save(Saved({"stack": np.zeros(10_000_000, np.int8)}, {}))
    limit = math.ceil(resident_megabytes()) + 5
    with pytest.raises(InputError, match=rf"the memory limit of {limit:,} MB is too low: at least [\d,]+ MB are needed to go on"):
        Checkpoint.open(path, instance, dlx, Question(Goal.COUNT, Limits(megabytes=limit)))
    assert Checkpoint.open(path, instance, dlx, Question(Goal.COUNT, Limits(megabytes=limit + 500))).saved is not None
