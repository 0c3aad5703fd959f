"""Files that answers go into: what was asked for, whole, or what was there before."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import call, status_of
from failures import full_disk

from tiler.bench.store import Store
from tiler.cli.main import COMMANDS as COMMANDS_OF_TILER
from tiler.cli.main import main
from tiler.errors import BadOption, TilerError
from tiler.process import files

UNSAT = ["5x5", "4L"]
PICTURES = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
COMMANDS: dict[str, list[str]] = {"solve": [], "sample": [], "count": ["--by-cell"]}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", PICTURES)
def test_every_picture_is_one(command: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"p.{form.upper()}"
    assert main([command, "4x4", "2", "-o", str(path), *COMMANDS[command]]) == 0
    assert path.read_bytes().startswith(PICTURES[form])


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["x.webp", "x.jpeg", "x.mp4", "out.txt.bak"])
def test_an_ending_that_stands_for_nothing_is_refused_before_anything_is_solved(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tiler.cli.shared.arguments.ask", None)
    (tmp_path / name).write_text("mine")
    assert main([command, "4x4", "2", "-o", str(tmp_path / name), *COMMANDS[command]]) == 2
    err = capsys.readouterr().err
    assert "the name must end in" in err
    assert all(f".{form}" in err for form in (*PICTURES, "txt", "json"))
    assert (tmp_path / name).read_text() == "mine"


def test_whoever_says_what_is_to_be_in_it_may_use_any_name(tmp_path: Path) -> None:
    assert main(["solve", "2x2", "2", "-o", str(tmp_path / "a.out"), "--format", "json"]) == 0
    assert (tmp_path / "a.out").read_text().startswith('[{"tile"')
    assert main(["solve", "2x2", "2", "-o", str(tmp_path / "plain")]) == 0
    assert (tmp_path / "plain").read_text().startswith("sat")


@pytest.mark.parametrize("form", PICTURES)
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["solve", *UNSAT], 0),
        (["sample", *UNSAT], 0),
        (["solve", "20x20", "1:5F", "5X", "3I", "--solver", "backtracking", "--time-limit", "1ms"], 3),
        (["prove", "2x2", "2"], 0),
        (["plane", "xxx/x.x/xxx"], 0),
        (["prove", "20x20", "1:5F", "5X", "3I", "--time-limit", "1ms"], 3),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_picture_that_is_not_drawn_is_spoken_of(
    form: str, arguments: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if arguments[0] == "prove" and form == "pdf":
        pytest.skip("it is refused")
    path = tmp_path / f"t.{form}"
    assert main([*arguments, "-o", str(path)]) == status
    assert f"{path} is not written" in capsys.readouterr().err
    assert not path.exists()
    path.write_text("old")
    assert main([*arguments, "-o", str(path)]) == status
    assert f"{path} is kept as it was" in capsys.readouterr().err
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


def test_a_proof_that_is_not_written_is_spoken_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.drup"
    path.write_text("old")
    assert main(["solve", "4x4", "2", "--solver", "sat", "--proof", str(path)]) == 0
    assert capsys.readouterr().err == f"tiler: no proof written; sat: there is a tiling; {path} is kept as it was\n"
    assert path.read_text() == "old"


WRITERS: dict[str, Callable[[Path], list[str]]] = {
    "solve": lambda path: ["solve", "20x20", "2", "-o", f"{path}.txt"],
    "sample": lambda path: ["sample", "4x4", "2", "-n", "50", "-o", f"{path}.json"],
    "picture": lambda path: ["solve", "8x8", "2", "-o", f"{path}.png"],
    "heat": lambda path: ["count", "4x4", "2", "--by-cell", "-o", f"{path}.svg"],
    "prove": lambda path: ["prove", "6x6", "4L", "-o", f"{path}.svg"],
    "convert": lambda path: ["convert", "4x4", "2", "-o", f"{path}.cnf"],
    "proof": lambda path: ["solve", "6x6", "4L", "--solver", "sat", "--proof", f"{path}.drup"],
}


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("writer", WRITERS)
def test_on_a_full_disk_one_line_names_the_file_and_the_old_one_stays(
    writer: str, old: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = WRITERS[writer](tmp_path / "out")
    path = Path(next(word for word in arguments if word.startswith(str(tmp_path))))
    if old is not None:
        path.write_text(old)
    with full_disk(300):
        assert main(arguments) == 1
    err = capsys.readouterr().err
    name = path if writer != "proof" else path.with_suffix(".cnf")
    assert err.count("\n") == 1
    assert f"{name}: cannot be written: File too large" in err or f"{path}: cannot be written: File too large" in err
    assert os.listdir(tmp_path) == ([] if old is None else [path.name])
    assert old is None or path.read_text() == old


def test_the_other_files_of_the_project(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.write_environment({"a": 1})
        with full_disk(), pytest.raises(TilerError, match=r"env\.json: cannot be written: File too large"):
            store.write_environment({"a": "x" * 2000})
    assert sorted(os.listdir(tmp_path)) == ["env.json", "runs.jsonl"]
    assert (tmp_path / "env.json").read_text() == '{\n  "a": 1\n}\n'


def test_a_replaced_file_keeps_its_permissions_and_its_links(tmp_path: Path) -> None:
    path, link = tmp_path / "a", tmp_path / "link"
    files.write(path, b"1")
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to("a")
    files.write(link, b"2")
    assert link.is_symlink()
    assert path.read_bytes() == b"2"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_stays_one() -> None:
    files.write("/dev/null", b"x")
    assert not Path("/dev/null").is_file()
    if Path("/dev/full").exists():
        with pytest.raises(TilerError, match=r"/dev/full: cannot be written: No space left on device$"):
            files.write("/dev/full", b"x")


def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    files.write(pipe, b"through")
    assert reader.communicate(timeout=60)[0] == "through"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("", "is a folder; name a file"),
        ("no/x", "cannot write .*/no/x: No such file"),
        ("x\0y", "not a file name"),
        ("x" * 300, "too long"),
    ],
)
def test_what_can_be_no_file(name: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=text):
        files.write(f"{tmp_path}/{name}" if name else tmp_path, b"")
    assert not os.listdir(tmp_path)


def test_an_error_in_between_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with files.Replacement(path) as new:
            new.file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["shapes"], ["show", "4x4", "2"], ["solve", "4x4", "2", "--all"], ["--help"], ["solve", "--help"]]
)
def test_stdout_on_a_full_disk_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(
            [sys.executable, "-m", "tiler", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, env=buffered
        )
    assert (done.returncode, done.stderr) == (1, "tiler: standard output: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_stderr_on_a_full_disk_changes_no_exit_status() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "tiler", "nonsense"], stderr=full, stdout=subprocess.PIPE, timeout=120)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize(("closed", "status"), [("<&- 2>&-", 0), ("<&- >&- 2>&-", 1)])
def test_streams_that_are_closed(closed: str, status: int) -> None:
    command = f"{sys.executable} -m tiler solve 2x2 2 {closed}"
    assert subprocess.run(["sh", "-c", command], timeout=120, stdout=subprocess.PIPE).returncode == status


@pytest.mark.parametrize("arguments", [["solve", "2x2", "2"], ["solve", "4x4", "2", "--all"], ["shapes"], ["solve", "--help"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "tiler", *arguments]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=120)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        *(["solve", "6x6", "4L", "--solver", "sat", "--proof", name] for name in (".", "", "..")),
        *(["convert", "2x2", "2", f"--output={name}", "--format", form] for name in (".", "") for form in ("mzn", "cnf")),
        *([command, "2x2", "2", "-o", ""] for command in ("solve", "sample", "prove")),
        ["count", "2x2", "2", "--checkpoint", ""],
        ["bench", "--filter", "misc/03", "-o", "a file"],
    ],
    ids=" ".join,
)
def test_what_names_no_file_is_refused(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a file").write_text("")
    assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert os.listdir() == ["a file"]


def test_a_message_about_megabytes_is_a_line_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.txt").write_text("2x2\n\n" + "9" * 1_000_000 + ":2\n")
    assert main(["show", str(tmp_path / "p.txt")]) == 2
    err = capsys.readouterr().err
    assert len(err) < 1100
    assert "is too many copies; write fewer than 1,000,000,000, or no number" in err


#: For every command something that it writes to stdout.
WRITES: dict[str, list[str]] = {
    "solve": ["4x4", "2"],
    "count": ["4x4", "2"],
    "series": ["2xn", "2", "--terms", "5"],
    "estimate": ["4x4", "2"],
    "corpus": ["--help"],
    "sample": ["4x4", "2"],
    "prove": ["3x3", "2"],
    "show": ["4x4", "2"],
    "convert": ["--help"],
    "check": ["4x4", "2", "solution.json"],
    "compare": ["solution.json", "solution.json"],
    "unique": ["4x4", "2"],
    "hint": ["4x4", "2"],
    "choose": ["2x4", "2", "2:4L"],
    "apart": ["4x4", "2"],
    "rectangles": ["3L", "--up-to", "4"],
    "plane": ["3L"],
    "shapes": ["3L"],
    "lattices": [],
    "problems": ["--help"],
    "solvers": [],
    "new-solver": ["--help"],
    "completion": ["bash"],
    "bench": ["--help"],
    "plot": ["--help"],
    "report": ["--help"],
    "archive": ["--help"],
    "reproduce": ["--help"],
    "selftest": ["--help"],
    "studio": ["--help"],
    "warm": ["--help"],
}


@pytest.mark.parametrize("command", WRITES)
def test_an_answer_that_cannot_be_written_is_an_error(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(capsys, "solve", "4x4", "2", "--format", "json", "-o", "solution.json")[0] == 0
    assert call(capsys, command, *WRITES[command])[1]
    with open("/dev/full", "w", encoding="utf-8") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        assert status_of(command, *WRITES[command]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "tiler: standard output: No space left on device"


def test_all_commands_are_asked_to_write() -> None:
    assert set(WRITES) == set(COMMANDS_OF_TILER)


@pytest.mark.parametrize("arguments", [["count", "4x4", "2"], ["solvers"], ["--version"]], ids=" ".join)
def test_an_answer_to_a_closed_stream_is_an_error(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "tiler", *arguments]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "tiler: standard output: it is closed\n")
