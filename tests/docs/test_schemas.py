"""What Tiler writes for programs is as the published schemas say, and the schemas refuse what is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tiler.bench.record import Record

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/reference/schemas"
SCHEMAS: dict[str, Any] = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
REGISTRY: Registry[Any] = Registry().with_resources(
    (f"{name}.json", Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
)


def errors(name: str, value: Any) -> list[str]:
    """What a schema finds wrong with a value."""
    validator = Draft202012Validator(SCHEMAS[name], registry=REGISTRY)
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


Printed = Callable[..., list[Any]]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Runs a command, and gives the values that it prints, one per line."""

    def run(*arguments: str) -> list[Any]:
        _, out, _ = call(capsys, *arguments, "--format", "json")
        return [json.loads(line) for line in out.splitlines()]

    return run


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize(
    ("arguments", "before"),
    [
        (["solve", "2x2", "2", "--all"], "tiling"),
        (["solve", "3x3", "1:V", "1:4O", "--unique"], "tiling"),
        (["solve", "6x6", "4L"], "tiling"),
        (["solve", "4x3", "2", "3L", "--weight", "2 1", "--optimise"], "tiling"),
        (["solve", "2x2x2", "1x1x2", "--up-to-symmetry", "--solver", "dlx"], "tiling"),
        (["sample", "4x4", "2", "-n", "2"], "tiling"),
        (["count", "3x3", "2", "--open", "1", "--by-open"], "by-open"),
        (["count", "12x12", "2"], "tiling"),
        (["count", "6x10", "2", "--up-to-symmetry"], "tiling"),
        (["count", "4x2", "2", "3L", "1:1", "--by-cell"], "by-cell"),
        (["prove", "6x6", "4L"], "tiling"),
        (["prove", "4x4", "3I", "1:1", "--signed"], "tiling"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_answers(arguments: list[str], before: str, printed: Printed) -> None:
    *lines, answer = printed(*arguments)
    assert [errors(before, line) for line in lines] == [[]] * len(lines)
    assert errors("answer", answer) == []


@pytest.mark.parametrize(
    ("arguments", "schema"),
    [
        (["unique", "4x4", "2"], "puzzle"),
        (["choose", "5x3", "1:pentominoes", "--unique"], "pieces"),
        (["unique", "4x4", "1:4L", "1:4T", "1:4S"], "puzzle"),
        (["apart", "4x4", "2"], "disassembly"),
        (["apart", "3x3", "3x1", "--all"], "disassembly"),
        (["apart", "4x4", "3I"], "disassembly"),
        (["rectangles", "3L", "--up-to", "5"], "rectangle"),
        (["plane", "3L"], "plane"),
        (["plane", "3L", "--orbits", "1"], "plane"),
        (["hint", "8x4", "4L"], "hint"),
        (["hint", "8x8", "2", "2:1", "--place", "1 0,0", "--place", "1 7,7"], "hint"),
        (["plane", "7-105", "--reflections", "--up-to", "28"], "plane"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_said_of_tiles(arguments: list[str], schema: str, printed: Printed) -> None:
    lines = printed(*arguments)
    assert lines
    assert [errors(schema, line) for line in lines] == [[]] * len(lines)


def test_what_two_files_share(tmp_path: Path, printed: Printed, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "tilings.json")
    assert call(capsys, "solve", "4x4", "2", "--limit", "3", "-o", file)[0] == 0
    (told,) = printed("compare", file, file)
    assert errors("comparison", told) == []


def test_long_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.jsonl"
    assert call(capsys, "solve", "4x4", "2", "--all", "-o", str(file))[0] == 0
    head, *tilings, answer = [json.loads(line) for line in file.read_text().splitlines()]
    assert [errors("list", line) for line in (head, *tilings)] == [[]] * 37
    assert errors("answer", answer) == []
    assert errors("list", {**head, "placements": [0]}) != []
    assert errors("list", [0, -1]) != []


def test_records_of_rectangles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "records.jsonl"
    assert call(capsys, "rectangles", "2", "--up-to", "3", "--records", str(file))[0] == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [errors("rectangle", line) for line in lines] == [[]] * 6


def test_records_of_boxes() -> None:
    lines = [json.loads(line) for line in (ROOT / "results/reference/boxes/boxes.jsonl").read_text().splitlines()]
    some = {(line["how"], len(line.get("methods", ())), "proof" in line): line for line in lines}
    assert len(some) > 3
    assert [errors("rectangle", line) for line in some.values()] == [[]] * len(some)


def test_answers_about_general_exact_covers(tmp_path: Path, printed: Printed) -> None:
    file = tmp_path / "small.dlx"
    file.write_text("a b c\na b\nc\na c\nb\n")
    *lines, answer = printed("solve", str(file), "--all")
    assert [errors("rows", line) for line in lines] == [[], []]
    assert errors("answer", answer) == []
    assert errors("answer", {**answer, "instance": "both", "digest": "0" * 16}) != []


@pytest.mark.parametrize("solver", ["backtracking", "fila", "frontier", "sat", "ilp", "cpsat"])
@pytest.mark.long
def test_answers_of_every_solver(solver: str, printed: Printed) -> None:
    *lines, answer = printed("solve", "4x4", "4T", "--limit", "1", "--solver", solver)
    assert [errors("tiling", line) for line in lines] == [[]]
    assert errors("answer", answer) == []


@pytest.mark.parametrize(
    ("problem", "kinds"),
    [
        (["5x5", "4L"], {"area"}),
        (["6x6", "4L"], {"colourings"}),
        ([str(ROOT / "problems/mixed/4Os-4T-06x06_u.txt")], {"weights"}),
        ([str(ROOT / "problems/misc/02_u.txt")], {"removal"}),
        pytest.param([str(ROOT / "problems/many-unique/5r-hskew-06x10_u.txt")], {"removal", "weights"}, marks=pytest.mark.long),
        pytest.param([str(ROOT / "problems/many-unique/5r-plus_u.txt")], {"cases"}, marks=pytest.mark.slow),
    ],
    ids=lambda value: "-".join(sorted(value)) if isinstance(value, set) else "",
)
def test_certificates(problem: list[str], kinds: set[str], printed: Printed) -> None:
    (answer,) = printed("prove", *problem)
    assert errors("certificate", answer["certificate"]) == []
    assert kinds <= set(_kinds(answer["certificate"]["proof"]))


def _kinds(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [value[key] for key in value if key == "kind"] + [kind for each in value.values() for kind in _kinds(each)]
    return [kind for each in value for kind in _kinds(each)] if isinstance(value, list) else []


@pytest.mark.parametrize("problem", ["misc/02_u", "classic/soma_s", "2/corners-08x08_u"])
def test_problems(problem: str, printed: Printed) -> None:
    assert errors("instance", printed("show", str(ROOT / f"problems/{problem}.txt"))[0]) == []


def test_problems_with_constraints_and_short_ones(printed: Printed) -> None:
    (written,) = printed("show", "6x6", "2", "X", "--place", "2 0,0 0,1", "--forbid", "5,5 for X", "--lock", "2")
    assert len(written["constraints"]) == 3
    assert errors("instance", written) == []
    assert errors("instance", {"board": "4x4", "tiles": ["3L", {"cells": "1", "at_most": 1}]}) == []
    assert errors("instance", {"board": "4x4", "tiles": []}) == []


def test_estimates(printed: Printed) -> None:
    assert errors("estimate", printed("estimate", "6x6", "2", "--samples", "10")[0]) == []
    assert errors("estimate", printed("estimate", "6x6", "2", "--up-to-symmetry", "--samples", "10")[0]) == []


def test_series(printed: Printed) -> None:
    assert errors("series", printed("series", "3xn", "2")[0]) == []


def test_the_schema_of_records_is_that_of_their_type() -> None:
    types = msgspec.json.schema(Record)["$defs"]
    compared = 0

    def compare(published: dict[str, Any], made: dict[str, Any]) -> None:
        nonlocal compared
        compared += 1
        assert published["properties"].keys() == made["properties"].keys()
        assert set(published.get("required", ())) == set(made["required"])
        for name, each in made["properties"].items():
            within = [types[one["$ref"].rpartition("/")[2]] for one in each.get("anyOf", [each]) if "$ref" in one]
            if "properties" in published["properties"][name]:
                compare(published["properties"][name], within[0])

    compare(SCHEMAS["record"], types["Record"])
    assert compared == 7


def test_the_page_has_every_field_of_a_record() -> None:
    section = (ROOT / "docs/reference/formats.md").read_text().partition("## Records of runs")[2].partition("\n## ")[0]
    first = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    told = [(name.strip("*` "), name.strip().startswith("**")) for cell in first if "`" in cell for name in cell.split(",")]
    schema = SCHEMAS["record"]
    assert sorted(told) == sorted((name, name in schema["required"]) for name in schema["properties"])
    inner = {name for field in ("expected", "limits", "warm", "environment") for name in _properties(schema["properties"][field])}
    assert {name for name in inner if f"`{name}`" not in section} == set()


def _properties(schema: dict[str, Any]) -> list[str]:
    within = [schema, *schema.get("anyOf", [])]
    return [name for each in within for name in each.get("properties", ())]


def test_records_of_the_reference_campaigns() -> None:
    """One of every kind that there is: with the same fields, of a solver and an outcome."""
    some: dict[tuple[Any, ...], tuple[Path, Any]] = {}
    for campaign in sorted((ROOT / "results/reference").glob("*/runs.jsonl")):
        for line in campaign.read_bytes().splitlines():
            record = msgspec.json.decode(line)
            fields = (frozenset(record), *(frozenset(record[within]) for within in ("stats", "limits", "environment")))
            outcome = (record["solver"].partition(":")[0], record["status"], record["stop"], record["category"])
            some[(*outcome, *fields)] = (campaign, record)
    assert len(some) > 100
    assert [(campaign, wrong) for campaign, record in some.values() if (wrong := errors("record", record))] == []


@pytest.mark.long
def test_records_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--problems", str(ROOT / "problems"), "--filter", "misc/02", "--time-limit", "5s", "--no-plots", "-o", "out"]
    assert call(capsys, "bench", "--solver", "dlx", "--solver", "coloring", *options)[0] == 0
    records = [json.loads(line) for line in Path("out/runs.jsonl").read_text().splitlines()]
    assert [errors("record", record) for record in records] == [[]] * 4


def test_constraints_are_the_versions_of_the_records() -> None:
    pinned = dict(
        line.split("==")
        for line in (ROOT / "results/reference/constraints.txt").read_text().splitlines()
        if not line.startswith("#")
    )
    told: dict[str, str] = {}
    for environment in sorted((ROOT / "results/reference").glob("*/env.json")):
        versions = json.loads(environment.read_text())["versions"]
        needed = {name: version for name, version in versions.items() if name not in ("tiler", "python")}
        assert needed.items() <= pinned.items()  # Later records name more packages: Tiler needs more.
        told |= needed
    assert told == pinned


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tiling", [{"tile": "2", "cells": []}]),
        ("tiling", [{"tile": "2", "cells": [[0]]}]),
        ("answer", {"schema": "tiler-answer-1", "status": "sat"}),
        ("instance", {"board": "4x4", "tiles": "2"}),
        ("instance", {"board": "4x4", "tiles": ["2"], "tile": 1}),
        ("certificate", {"schema": "tiler-certificate-1", "digest": "0" * 16, "proof": {"kind": "because"}}),
        ("certificate", {"schema": "tiler-certificate-1", "digest": "0" * 16, "proof": {"kind": "weights", "weights": [1]}}),
        ("record", {"instance": "x", "solver": "dlx", "goal": "decide", "limits": {}, "status": "yes", "stop": "done"}),
        ("estimate", {"schema": "tiler-estimate-1"}),
        ("by-cell", {"cell": [0, 0]}),
    ],
)
def test_what_is_wrong_is_refused(name: str, value: Any) -> None:
    assert errors(name, value) != []
