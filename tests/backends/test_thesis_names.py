"""The names that solvers have in the thesis are accepted wherever a spec is, and mean what the page says."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from commands import call
from records import record

import tiler
from tiler.backends import registry, thesis_names
from tiler.backends.command import Command
from tiler.backends.registry import matching, parse_spec
from tiler.backends.thesis_names import NAMES, translated
from tiler.bench.campaign import named_specs
from tiler.errors import BadOption, UnknownBackend
from tiler.report import chosen_records
from tiler.report.names import labels

PAGE = (Path(__file__).parents[2] / "docs/reference/solvers.md").read_text()
AMO = ("amo-auto", "amo-seq", "amo-bimander", "amo-commander", "amo-kproduct", "amo-binary", "amo-ordered")
ENCODINGS = (*AMO, "amk-auto", "amk-bdd", "amk-card")


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that a name declares are forgotten afterwards."""
    monkeypatch.setattr(registry, "_registered", dict(registry.backends()))


def test_all_solvers_of_appendix_b_have_a_spec() -> None:
    simple = [f"simple_{order}" for order in ("default", "frequent", "rare", "fill-row")]
    sat = ["_".join(["sat", *words]) for words in product(("cadical", "cms"), ("no-breaker", "breakid"), ENCODINGS)]
    objectives = ("eq-ign", "eq-min", "geq-min", "leq-max")
    ilp = ["_".join(["ilp", *words]) for words in product(("cbc", "gurobi"), ("default", "adjusted"), objectives)]
    csp = ["csp_gecode", "csp_chuffed"]
    names = [*simple, *sat, *ilp, *csp]
    assert (len(sat), len(ilp)) == (40, 16)
    assert [name for name in names if name not in NAMES] == []
    assert len({translated(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("simple_fill-row", "backtracking:order=fill-row"),
        ("dlx_default", "dlx:copies=named"),
        ("sat_cadical_no-breaker_amk-card", "sat:encoding=amk-cardnetwrk"),
        ("sat_cms_breakid_amo-seq", "sat:engine=cryptominisat,symmetry=breakid,encoding=amo-seqcounter,cell=seqcounter"),
        ("ilp_gurobi_adjusted_eq-ign", "ilp:engine=gurobi,tuning=adjusted,objective=eq-ign"),
        ("csp_gecode", "gecode geost"),
        ("amo-kproduct", "sat:encoding=amo-product,cell=product"),
        ("cadical", "sat"),
        ("cms", "sat:engine=cryptominisat"),
        ("simple_rare:filter=dead", "backtracking:order=rare,filter=dead"),
        ("dlx:order=first", "dlx:order=first"),
        ("gecode", "gecode"),
    ],
)
def test_a_name_is_translated(name: str, spec: str) -> None:
    assert translated(name) == spec


def test_every_name_is_a_backend() -> None:
    """But for BreakID, which an installation may lack an option for."""
    for name, spec in NAMES.items():
        if "symmetry=breakid" not in spec:
            assert parse_spec(name) == parse_spec(spec)
    assert issubclass(type(parse_spec("csp_gecode")), Command)


def test_a_name_may_have_options() -> None:
    assert str(parse_spec("simple_rare:filter=dead")) == "backtracking:filter=dead,order=rare"
    assert [str(each) for each in matching("dlx_default:equal=*")] == ["dlx:copies=named,equal=off", "dlx:copies=named"]
    with pytest.raises(BadOption, match="backtracking: order is set twice"):
        parse_spec("simple_rare:order=rare")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("sat_cadical_no-braker_amk-card", "'no-braker' is not one of no-breaker, breakid, noprep; nearest: no-breaker"),
        ("sat_cadical_amk-card", "'amk-card' is not one of no-breaker"),
        ("sat_cadical", "sat_ is followed by 3 words: cadical, cms or kissat; no-breaker, breakid or noprep; amo-auto"),
        ("simple", "simple_ is followed by 1 word: default, frequent, rare or fill-row"),
        ("ilp_cbc_default_eq-ign_x", "ilp_ is followed by 3 words"),
        ("amk-crad", "it is not one of amo-auto, .*; nearest: amk-card"),
        ("csp_gecod", "'gecod' is not one of gecode, chuffed, gurobi; nearest: gecode"),
    ],
)
def test_a_wrong_name_is_refused_in_a_line(name: str, reason: str) -> None:
    with pytest.raises(BadOption, match=f"^{name}: {reason}"):
        parse_spec(name)
    with pytest.raises(UnknownBackend):
        parse_spec("minimax")


def test_a_declared_program_keeps_its_name() -> None:
    program = type("Declared", (Command,), {"name": "cadical"})
    registry._registered["cadical"] = program
    assert type(parse_spec("cadical")) is program


def test_records_of_a_program_with_such_a_name_are_its_own() -> None:
    """The program is not declared where its records are read."""
    ours, theirs = parse_spec("sat").spec, "cadical:filter=off,anchor=off"
    assert labels([ours, theirs]) == {ours: "sat", theirs: "cadical"}
    records = [record("f/1", ours, 1.0), record("f/1", theirs, 2.0)]
    assert [each["solver"] for each in chosen_records.select(records, (), ["cadical"])] == [theirs]
    assert [each["solver"] for each in chosen_records.select(records, (), ["sat:engine=cadical195"])] == [ours]
    assert [each["solver"] for each in chosen_records.select(records[:1], (), ["cadical"])] == [ours]


def test_commands_functions_and_campaigns_take_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "count", "4x4", "2", "--solver", "simple_default") == (0, "36\n", "")
    assert tiler.count(tiler.make("4x4", "2"), solver="simple_rare") == 36
    # Records have our specs.
    assert named_specs(["simple_default", "cadical"]) == (parse_spec("backtracking").spec, parse_spec("sat").spec)


def test_the_page_has_the_table() -> None:
    listed = [f"| {name} | {meaning} |" for name, meaning in thesis_names.rows()]
    assert "\n".join(["| in the thesis | here |", "|---|---|", *listed, ""]) in PAGE
