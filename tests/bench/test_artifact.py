"""An artifact holds a whole campaign, is made again from nothing else, and is refused in one line where it was changed."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import call
from jsonschema import Draft202012Validator
from records import record

from tiler.backends import registry
from tiler.bench import plan
from tiler.bench.artifact import contents, reproduction, wheels
from tiler.bench.artifact.reproduction import ArtifactError
from tiler.bench.job import SCHEMA
from tiler.bench.store import Store
from tiler.cli.main import main
from tiler.errors import InputError, TilerError

ROOT = Path(__file__).parents[2]


def packed(path: Path, members: dict[str, bytes], **manifest: Any) -> Path:
    """A small artifact; `manifest` changes fields of its manifest."""
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    content = {"schema": reproduction.SCHEMA, "files": listed, "commands": {}, **manifest}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in {reproduction.MANIFEST: json.dumps(content).encode(), **members}.items():
            out.writestr(name, data)
    return path


def refusal(path: Path, into: Path) -> str:
    """The one line that says why an artifact is not used; nothing was written outside of its folder."""
    with pytest.raises(ArtifactError) as caught:
        reproduction.opened(path, into / "artifact")
    assert "\n" not in str(caught.value)
    assert {each.name for each in into.iterdir()} <= {"artifact", path.name}
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_sound_artifact_is_opened_as_a_zip_and_as_a_folder(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a/b.txt": b"content"})
    opened = reproduction.opened(path, tmp_path / "artifact")
    assert (opened.folder / "a/b.txt").read_bytes() == b"content"
    assert reproduction.opened(opened.folder, tmp_path / "unused").manifest == opened.manifest
    assert not (tmp_path / "unused").exists()
    (opened.folder / "a/b.txt").write_bytes(b"other")
    with pytest.raises(ArtifactError, match=r"'a/b\.txt' is not what was archived: its SHA-256 differs"):
        reproduction.opened(opened.folder, tmp_path / "unused")


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "a/../../out.txt", "..\\out.txt", "C:out.txt"])
def test_nothing_is_written_outside(name: str, tmp_path: Path) -> None:
    said = refusal(packed(tmp_path / "a.zip", {"a.txt": b"", name: b"!"}), tmp_path)
    assert said.startswith("it would write outside of its folder: ")
    assert said.endswith("; nothing was unpacked")
    assert not (tmp_path / "artifact").exists()


def test_a_link_is_not_unpacked(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.txt": b""})
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "a") as out:
        out.writestr(link, "/etc")
    assert refusal(path, tmp_path).startswith("it would write outside of its folder: 'link'")


def test_a_manifest_that_leads_outside_is_refused(tmp_path: Path) -> None:
    assert "does not list files" in refusal(packed(tmp_path / "a.zip", {}, files={"../x": "0"}), tmp_path)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])


def spoil(path: Path) -> None:
    """Change a byte of the compressed content of the last file."""
    content = bytearray(path.read_bytes())
    start = content.rindex(b"a/b.txt", 0, content.rindex(b"PK\x01\x02"))
    content[start + len("a/b.txt") + 2] ^= 0xFF
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (cut, "no zip, or a damaged one (File is not a zip file); fetch it again"),
        (spoil, "damaged"),
        (lambda path: path.write_bytes(b""), "no zip, or a damaged one (File is not a zip file); fetch it again"),
        (Path.unlink, "there is no such file"),
        (lambda path: zipfile.ZipFile(path, "w").close(), "no artifact of Tiler: there is no manifest.json in it"),
    ],
)
def test_a_damaged_zip_is_one_line(damage: Callable[[Path], object], why: str, tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a/b.txt": bytes(range(256)) * 50})
    damage(path)
    assert why in refusal(path, tmp_path)


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        ({"schema": "tiler-artifact-9"}, "manifest.json is none of tiler-artifact-1; a newer Tiler may read it"),
        ({"files": {"other.txt": "0"}}, "'other.txt' is missing"),
        ({"files": {"a.txt": "0" * 64}}, "'a.txt' is not what was archived: its SHA-256 differs; fetch the artifact again"),
        ({"files": ["a.txt"]}, "manifest.json does not list files with their SHA-256"),
        ({"commands": {"smoke": [["rm", "-r", "x"]]}}, "manifest.json does not list commands"),
        ({"commands": {"smoke": "tiler"}}, "manifest.json does not list commands"),
    ],
)
def test_a_manifest_that_does_not_fit_is_one_line(manifest: dict[str, Any], why: str, tmp_path: Path) -> None:
    assert refusal(packed(tmp_path / "a.zip", {"a.txt": b"content"}, **manifest), tmp_path) == why


def test_an_artifact_that_would_fill_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = packed(tmp_path / "a.zip", {"a.txt": bytes(3 << 20)})
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=2 << 20))
    assert "it would take 3 MiB, and " in refusal(path, tmp_path)
    assert not (tmp_path / "artifact/a.txt").exists()


def test_the_command_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = packed(tmp_path / "a.zip", {"a.txt": b""})
    assert call(capsys, "reproduce", str(path), "-o", str(tmp_path / "out"))[::2] == (
        2,
        "tiler: there are no wheels in it; with --here the runs are made by the Tiler that is installed here\n",
    )
    other = {"python": "3.8", "machine": "vax"}
    path = packed(tmp_path / "b.zip", {"wheels/x.whl": b""}, platform=other)
    status, _, said = call(capsys, "reproduce", str(path), "-o", str(tmp_path / "out"))
    assert status == 2
    assert said.startswith("tiler: its wheels are for Python 3.8 on vax, and this is Python 3.")


def test_an_artifact_needs_python_alone() -> None:
    tree = ast.parse(Path(reproduction.__file__).read_text())
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


def results(folder: Path, text: str, *records: dict[str, Any]) -> Path:
    with Store(folder) as store:
        for each in records:
            store.append(each)
    (folder / "campaign.toml").write_text(text)
    return folder


PROBLEM = {"schema": SCHEMA, "instance": "own/a", "limits": {"seconds": 10.0, "megabytes": 2048, "threads": 1}}


def test_problems_and_solvers_are_named_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The problems of several folders lie in one; a part that is about some of them names these. Programs are left out."""
    monkeypatch.setattr(registry, "_registered", dict(registry.backends()))  # The program is forgotten afterwards.
    for name in ("own/a", "own/a.b", "more/c"):
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("2x2\n\n2\n")
    text = f"""
        solvers = ["dlx", "cat"]
        [[part]]
        problems = "{tmp_path}"
        [[part]]
        instances = ["{tmp_path}/own/a.txt"]
        goal = "count"
        [[solver]]
        name = "cat"
        command = "cat"
        input = "cnf"
        output = "dimacs"
    """
    folder = results(tmp_path / "results", text)
    kept = contents.archived(contents.campaign_of(folder), [])
    assert sorted(kept.problems) == ["more/c", "own/a", "own/a.b"]
    assert kept.left_out == ("cat (a program or a file that is not in the artifact)",)
    assert [(part.problems, part.filter, part.solvers) for part in kept.campaign.parts] == [
        ("problems", (), ("dlx",)),
        ("problems", ("/^own/a$/",), ("dlx",)),
    ]
    (tmp_path / "artifact").mkdir()
    assert not contents.lay_out(kept, [], {}, folder, tmp_path / "artifact")
    read = plan.read(str(tmp_path / "artifact/campaign/campaign.toml"))
    assert [(job.instance.name, str(job.question.goal)) for job in read.runs().jobs] == [
        *((name, "decide") for name in ("more/c", "own/a", "own/a.b")),
        ("own/a", "count"),
    ]


def test_a_folder_without_a_campaign_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"there is neither campaign\.toml here nor results\.toml beside it"):
        contents.campaign_of(tmp_path / "results")
    (tmp_path / "results.toml").write_text('solvers = ["dlx"]')
    assert contents.campaign_of(tmp_path / "results").parts[0].solvers == ("dlx",)


def test_the_smoke_test_takes_short_runs_of_every_solver() -> None:
    """At most three each, that ended well within their limit, a minute in all."""
    part = plan.CampaignPart(problems="problems", solvers=("dlx", "fila"), time_limit=10.0, scramble=2)
    instances: Any = [SimpleNamespace(name=f"p/{n}", digest=f"p/{n}") for n in range(9)]
    limits = PROBLEM["limits"]
    runs: list[Any] = [
        record(f"p/{n}", solver, 0.1, wall_seconds=0.1 + n / 10, limits=limits, category="correct")
        for n in range(9)
        for solver in ("dlx", "fila")
        if solver == "dlx" or n < 2
    ]
    runs += [record("p/8", "fila", 5.0, wall_seconds=5.0, limits=limits), record("p/7", "fila", limits=limits, wall_seconds=0.1)]
    runs += [record("p/6", "fila", 0.1, wall_seconds=0.1, limits=limits) | {"digest": "changed"}]
    runs += [record("p/5", "fila", 0.1, wall_seconds=0.9, limits=limits, form=1)]
    smoke = contents.smoke(plan.Campaign(parts=(part,)), instances, runs, {"dlx": "dlx", "fila": "fila"})
    assert smoke is not None
    assert [(each.solvers, each.filter) for each in smoke.parts] == [
        (("dlx",), ("/^p/8$/", "/^p/4$/", "/^p/0$/")),
        (("fila",), ("/^p/1$/", "/^p/0$/")),
    ]
    assert {each.scramble for each in smoke.parts} == {1}
    assert contents.smoke(plan.Campaign(parts=(part,)), instances, runs[-3:], {"fila": "fila"}) is None


def test_wheels_are_of_the_versions_that_were_measured() -> None:
    runs: list[Any] = [
        record("a", "dlx", started="2026-02", versions={"tiler": "1", "python": "3.11.7", "numpy": "2.1"}),
        record("a", "sat", started="2026-01", versions={"tiler": "1", "numpy": "2.0", "pulp": "3.3.2"}),
    ]
    assert wheels.measured_with(runs) == {"numpy": "2.1", "pulp": "3.3.2"}
    assert wheels.requirements({"numpy": "2.1"})[0].startswith("tiler-bench[engines,plots]==")
    assert wheels.requirements({"numpy": "2.1"})[1:] == ["numpy==2.1"]


def test_a_wheel_that_cannot_be_had_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = SimpleNamespace(returncode=1, stderr="Looking\nERROR: No matching distribution\nERROR: more", stdout="")
    monkeypatch.setattr(subprocess, "run", lambda *args, **options: failed)
    monkeypatch.setattr(wheels, "is_installed", lambda module: True)
    with pytest.raises(TilerError, match=r"^pip wheel failed: ERROR: No matching distribution; --no-wheels makes"):
        wheels.collect({}, tmp_path)


@pytest.mark.long
def test_an_artifact_makes_its_campaign_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rocrate")
    monkeypatch.chdir(tmp_path)
    asked = ["--problems", str(ROOT / "problems"), "--filter", "4L/0*x06_u", "--solver", "dlx", "--solver", "backtracking"]
    assert main(["bench", *asked, "--no-plots", "-o", "results"]) == 0
    assert main(["archive", "results", "--no-wheels", "--title", "Some L", "-o", "a.zip"]) == 0
    check_description(tmp_path / "a.zip")
    # All that was archived is gone: there is only the zip.
    (tmp_path / "results").rename(tmp_path / "gone")
    capsys.readouterr()
    assert main(["reproduce", "a.zip", "--here", "-o", "again"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith(", each with its SHA-256")
    assert said[-1].startswith("reproduced (smoke, ")
    drawn = next(line for line in said if line.startswith("figures: "))
    number = drawn.split()[1]
    assert drawn == f"figures: {number} drawn again, {number} with the same data, {number} the same to the letter"
    # A count that differs is noticed, though each file is as the manifest says.
    records = (tmp_path / "again/artifact/campaign/runs.jsonl").read_text().replace('"status":"unsat"', '"status":"sat"')
    spoil_records(tmp_path / "again/artifact", records)
    done = subprocess.run(
        [sys.executable, "again/artifact", "--full", "--here", "-o", "other"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[-1].startswith("NOT reproduced (full, ")


def check_description(path: Path) -> None:
    """The manifest is as its schema says, and the crate describes each file and the command of each figure."""
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        crate = json.loads(archive.read("ro-crate-metadata.json"))
        assert b"# Some L\n" in archive.read("README.md")
        assert archive.read("CITATION.cff") == (ROOT / "CITATION.cff").read_bytes()
    schema = json.loads((ROOT / "docs/reference/schemas/artifact.json").read_text())
    assert [error.message for error in Draft202012Validator(schema).iter_errors(manifest)] == []
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    assert entities["ro-crate-metadata.json"]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.3"}
    assert entities["./"]["name"] == "Some L"
    own = {"manifest.json", "ro-crate-metadata.json"}
    assert {name for name, entity in entities.items() if entity["@type"] == "File"} == set(manifest["files"]) - own
    figures = {name for name in manifest["files"] if name.endswith(".svg")}
    actions = [entity for entity in entities.values() if entity["@type"] == "CreateAction"]
    assert {result["@id"] for action in actions for result in action["result"]} == figures
    assert entities["#figure-survival"]["description"] == "tiler plot campaign --output again/figures --kind survival"


def spoil_records(folder: Path, records: str) -> None:
    (folder / "campaign/runs.jsonl").write_text(records)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["campaign/runs.jsonl"] = hashlib.sha256(records.encode()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_zenodo_and_the_citation_say_the_same() -> None:
    zenodo = json.loads((ROOT / ".zenodo.json").read_text())
    citation = contents.citation()
    for line in (
        f"title: {zenodo['title']}",
        f"abstract: {zenodo['description']}",
        f"version: {zenodo['version']}",
        f"license: {zenodo['license']}",
        f"keywords: [{', '.join(zenodo['keywords'])}]",
        *(f"  - name: {creator['name']}" for creator in zenodo["creators"]),
    ):
        assert line in citation.splitlines()
