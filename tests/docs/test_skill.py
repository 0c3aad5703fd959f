"""The page for agents, which the wheel brings along: its commands run, its program too, and both do as it says."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from commands import call, status_of

from tiler import version
from tiler.cli.main import COMMANDS
from tiler.optional_packages import is_installed

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import regenerate_examples as examples

PAGE = (Path(version.__file__).parent / "SKILL.md").read_text()


def test_it_has_a_name_and_says_when_to_use_it() -> None:
    _, head, _ = PAGE.split("---\n", 2)
    assert yaml.safe_load(head).keys() == {"name", "description"}


def test_each_command_that_it_names_is_there() -> None:
    named = set(re.findall(r"(?:`|\$ )tiler ([a-z][a-z-]*)", PAGE))
    assert {"solve", "bench", "report", "archive"} <= named
    assert named <= set(COMMANDS)


@pytest.mark.long
def test_its_commands_print_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At least at the beginning: times differ."""
    monkeypatch.chdir(tmp_path)
    examples.set_up(tmp_path, PAGE)
    shown = list(examples.examples(PAGE))
    assert len(shown) == 5
    for command, beginning in shown:
        status, out, err = call(capsys, *shlex.split(command)[1:])
        assert status == 0, err
        assert out.startswith(beginning), command
    assert (tmp_path / "results/runs.jsonl").read_text().count("\n") == 6
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(program, "SKILL.md", "exec"), {})
    shutil.copytree("results", "before")
    shutil.copytree("results", "after")
    for command in re.findall(r"`tiler ([a-z][a-z-]* [^`]+)`", PAGE):
        without_network = ["--no-wheels"] if command.startswith("archive") else []
        if not without_network or is_installed("rocrate"):
            assert status_of(*shlex.split(command), *without_network) == 0, command
