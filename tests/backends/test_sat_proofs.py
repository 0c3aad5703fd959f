"""Proofs by SAT engines are checked against the problem: what the encoder wrote is proved, and nothing else."""

from __future__ import annotations

import ast
import random
import re
import resource
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.sat import cardinality, dimacs, groups
from tiler.backends.sat.checking import faithful, refutation, rup, thresholds
from tiler.backends.sat.checking.problem import NotShownError, PlacementVariables, image
from tiler.backends.sat.engines import ENGINES
from tiler.backends.sat.formula import Formula
from tiler.backends.sat.groups import ClauseGroup
from tiler.backends.sat.lex import _leader
from tiler.backends.sat.tiling import NAMES, encode
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.question.drup import Drup
from tiler.question.question import Goal, Question

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

ROOT = Path(tiler.__file__).parent.parent
CHECKED = [name for name, each in cardinality.ENCODINGS.items() if each.checked]
UNCHECKED = [name for name, each in cardinality.ENCODINGS.items() if not each.checked and not each.native]
ENCODINGS = [name for name in NAMES if name.partition("-")[2] not in (*UNCHECKED, "native")]
IMPOSSIBLE = [["5x4", "4L"], [".xxo/xxxx/xxxx/xxx.", "2"], ["4x3", "2..3:3L", "1:3I"]]


def problem(shapes: Sequence[str], *settings: str) -> Instance:
    """A problem by its board, its tiles, and lines of a problem file."""
    board, *tiles = shapes
    return formats.parse("\n".join([*(f"# {each}" for each in settings), *board.split("/"), "", *tiles, ""]))


def proof_of(instance: Instance, spec: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The texts of a CNF and of the proof that it has no model, with names."""
    proof = solve(instance, spec, Question(Goal.PROVE)).result.certificate
    assert isinstance(proof, Drup)
    return ("a.cnf", "".join(f"{line}\n" for line in proof.cnf)), ("a.drup", "".join(f"{line}\n" for line in proof.drup))


def check_is_proved(instance: Instance, spec: str) -> None:
    found = refutation.check(instance, *proof_of(instance, spec))
    assert (found.wrong, found.not_shown) == (None, None)


@dataclass
class Cnf:
    """A CNF file in its parts."""

    instance: Instance
    comments: list[str]
    groups: list[ClauseGroup]
    variables: int
    clauses: list[list[int]]

    @classmethod
    def of(cls, instance: Instance, encoding: str = "amk-seqcounter", cell: str = "auto", symmetry: str = "off") -> Cnf:
        cover = BoardCover.of(instance)
        tiling = encode(cover, encoding, cell, symmetry)
        comments = [line for line in dimacs.comment_lines(cover, tiling, ()) if not line.startswith("c group")]
        return cls(instance, comments, tiling.formula.groups, tiling.formula.variables, tiling.formula.clauses)

    @property
    def text(self) -> str:
        clauses = [" ".join(map(str, [*clause, 0])) for clause in self.clauses]
        headers = [group.header for group in self.groups]
        return "\n".join([*self.comments, *headers, f"p cnf {self.variables} {len(self.clauses)}", *clauses, ""])

    @property
    def why_not_shown(self) -> str | None:
        text = self.text
        return faithful.why_not_shown(self.instance, rup.read_cnf(text), dimacs.read_meanings(text), groups.read(text))

    def model(self) -> list[int]:
        """The variables that mean something and are true in a model."""
        from pysat.solvers import Solver

        with Solver("glucose4", bootstrap_with=self.clauses) as solver:
            assert solver.solve()
            meant = dimacs.read_meanings(self.text)
            return [literal for literal in solver.get_model() if literal in meant]

    def refutation(self) -> str | None:
        """A proof that there is no model; None if there is one."""
        from pysat.solvers import Solver

        if [] in self.clauses:
            return "0\n"
        with Solver("glucose4", bootstrap_with=self.clauses, with_proof=True) as solver:
            return None if solver.solve() else "".join(f"{line}\n" for line in [*solver.get_proof(), "0"])

    def say(self, clauses: Sequence[Sequence[int]], new: int | None = None, **fact: Any) -> None:
        """Add clauses, in a group if there is a fact."""
        first = len(self.clauses) + 1
        self.clauses += map(list, clauses)
        if fact:
            self.groups.append(ClauseGroup(first, len(self.clauses), self.variables + 1 if new is None else new, fact))
        self.variables = max(self.variables, *(abs(literal) for clause in self.clauses for literal in clause))

    def replace(self, number: int, clauses: Sequence[Sequence[int]], **fact: Any) -> None:
        """Other clauses for one of the groups, and another fact if one is told."""
        number %= len(self.groups)
        old = self.groups[number]
        self.clauses[old.first - 1 : old.last] = map(list, clauses)
        more = len(clauses) - (old.last - old.first + 1)
        self.groups[number] = replace(old, last=old.last + more, fact=fact or old.fact)
        self.groups[number + 1 :] = [
            replace(each, first=each.first + more, last=each.last + more) for each in self.groups[number + 1 :]
        ]
        self.variables = max(self.variables, *(abs(literal) for clause in self.clauses for literal in clause))

    def of_group(self, number: int) -> list[list[int]]:
        return [list(clause) for clause in self.clauses[self.groups[number].first - 1 : self.groups[number].last]]

    def find(self, **fact: Any) -> int:
        """The group about a fact."""
        return next(i for i, group in enumerate(self.groups) if fact.items() <= group.fact.items())


# What the encoder writes is proved


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_proofs_hold_in_every_encoding(encoding: str) -> None:
    for shapes in IMPOSSIBLE[:3]:
        check_is_proved(formats.inline(shapes), f"sat:encoding={encoding}")


@pytest.mark.parametrize("cell", ["auto", *CHECKED])
def test_proofs_hold_however_cells_are_covered_once(cell: str) -> None:
    check_is_proved(formats.inline(IMPOSSIBLE[1]), f"sat:cell={cell},engine=glucose4")


@pytest.mark.parametrize("name", UNCHECKED)
def test_proofs_that_cannot_be_checked_are_refused(name: str) -> None:
    """In one line with the encodings that can be. Files by other hands are not shown to follow from the problem."""
    instance = formats.inline(IMPOSSIBLE[2])
    specs = [f"sat:{option}" for option in (f"cell={name}", f"encoding=amk-{name}", f"encoding=amo-{name}")]
    for spec in specs if name in cardinality.AT_MOST_K else (specs[0], specs[2]):
        with pytest.raises(BadOption, match=f"proofs in the encoding {name} cannot be checked; choose one of auto, pairwise, "):
            solve(instance, spec, Question(Goal.PROVE))
        assert solve(instance, spec, Question(Goal.DECIDE)).result.status is Status.UNSAT
    why = Cnf.of(problem(["4x4", "4L"]), "amk-seqcounter", name).why_not_shown
    assert why is not None
    assert why.endswith("some encodings cannot be checked, amk-seqcounter can")


def test_proofs_hold_where_areas_cover_cells_once() -> None:
    check_is_proved(formats.inline(["6x4", "4:4O", "2:4T"]), "sat:cell=at-least,engine=glucose4")


@pytest.mark.parametrize("encoding", ["amk-auto", "amo-pairwise", "amo-ordered"])
def test_proofs_hold_where_symmetries_are_broken(encoding: str) -> None:
    for shapes in IMPOSSIBLE:
        check_is_proved(formats.inline(shapes), f"sat:encoding={encoding},symmetry=lex,engine=glucose4")


def test_proofs_hold_where_pieces_must_not_cross() -> None:
    instance = problem(["2x2", "2-1"], "lattice: square-edges", "crossing: no")
    check_is_proved(instance, "sat:engine=glucose4")
    check_is_proved(instance, "sat:engine=glucose4,symmetry=lex")


#: With tilings and without: here only the clauses are asked about.
BOARDS = {
    "long": problem(["40x1", "20..20:2"]),
    "two tiles": problem(["4x3", "2..3:3L", "1:3I"]),
    "at least": problem(["4x4", "2..:3L", "2", "1:1"]),
    "too few": problem(["2x2", "3..3:3L", "2"]),
    "too few places": problem(["2x2", "2..2:1", "2"], "within: 1 0,0..0,0"),
    "optional": problem([".xxo/xxxx/xoxx/xxx.", "2", "2:1"]),
    "open": problem(["4x3", "3:3L", "2"], "open: 1..2"),
    "two groups": problem(["ooox/xxxx/xxxx", "2", "3L"], "labels: a b c", "group: first a b", "group: second c"),
    "three groups": problem(
        ["oooo/ooxx", "2..3:1", "2"], "labels: a b c d e f", *(f"group: {g}" for g in ("p a b", "q c f", "r d e"))
    ),
    "a group that cannot stay open": problem(
        ["ooox/xxxx", "2", "3L"], "labels: a b c", "group: first a b", "group: second c", "place: 2 0,2 0,3"
    ),
    "hexagonal": problem(["rhombus:3x3", "2:2-1", "3-1"], "lattice: hexagonal"),
    "torus": problem(["2x4", "2:3L", "2"], "wrap: rows columns"),
    "mirrored": problem(["3x4", "2:4L", "2:4J", "2"]),
    "placed": problem(["3x4", "2..2:3L", "2"], "place: 3L 0,0 0,1 1,0"),
    "solid": problem(["2x2x2", "2:3L", "2"]),
    "edges": problem(["2x2", "2-1", "2:2-2"], "lattice: square-edges", "crossing: no"),
    "marks": problem(["2x2", "2:1 [rrgg]", "2:1 [rgrg]"], "colours: r red, g green"),
    "marks on a torus": problem(["1x3", "2:1 [rgrr]", "1:1 [gbgg]"], "colours: r red, g green, b blue", "wrap: rows columns"),
    "tabs": problem(
        ["4x1", "1:1 [flat tab flat flat]", "2:1 [flat tab flat blank]", "1:1 [flat flat flat blank]"],
        "mates: tab blank",
        "border: flat",
    ),
    "marks and open cells": problem(["xxo/oxx", "2:2 [rg.g] [.rrg]", "2:1"], "colours: r red, g green"),
    "faces": problem(["bwb/wbw", "2:bw | wb", "1:wb", "2"], "colours: b black, w white", "reflections: yes"),
    "hexagonal marks": problem(
        ["rhombus:2x2", "3:1-1 [rrggbb]", "1-1 [rgrgrg]"], "lattice: hexagonal", "colours: r red, g green, b blue"
    ),
    "edges of triangles": problem(["rhombus:1x2", "2-1", "2-2"], "lattice: triangular-edges", "crossing: no"),
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("encoding", ["amk-seqcounter", "amo-auto", "amo-ordered"])
@pytest.mark.parametrize("symmetry", ["off", "lex"])
def test_what_the_encoder_writes_is_shown(board: str, encoding: str, symmetry: str) -> None:
    """Where copies are counted, named, and in order; however that is written, by `test_proofs_hold_in_every_encoding`."""
    assert Cnf.of(BOARDS[board], encoding, symmetry=symmetry).why_not_shown is None


@pytest.mark.parametrize("cell", ["auto", *CHECKED])
@pytest.mark.parametrize("encoding", ["amk-bdd", "amo-pairwise", "amo-ordered"])
def test_clauses_about_cells_are_shown_for_named_copies_too(cell: str, encoding: str) -> None:
    for name in ("two tiles", "three groups"):
        assert Cnf.of(BOARDS[name], encoding, cell).why_not_shown is None


def leaves_tilings(cnf: Cnf, tilings: Sequence[Sequence[Placement]]) -> bool:
    """Whether each of these tilings is a model."""
    from pysat.solvers import Solver

    meant = [(v, each.placement) for v, each in dimacs.read_meanings(cnf.text).items() if each.placement.tile]
    with Solver("glucose4", bootstrap_with=cnf.clauses) as solver:
        return all(solver.solve([-v for v, placement in meant if placement not in tiling]) for tiling in tilings)


def tilings_of(instance: Instance) -> Sequence[Sequence[Placement]]:
    """Some twenty tilings from all over."""
    tilings = solve(instance, "cpsat" if instance.is_painted else "dlx", Question(Goal.ENUMERATE)).solutions
    assert tilings
    return tilings[:: 1 + len(tilings) // 20]


def test_facts_that_are_shown_hold_in_every_tiling() -> None:
    """By models, with all encodings."""
    for name in ("mirrored", "optional", "open", "solid", "marks", "tabs", "marks and open cells", "faces"):
        tilings = tilings_of(BOARDS[name])
        for encoding in NAMES:
            assert encoding == "amk-native" or leaves_tilings(Cnf.of(BOARDS[name], encoding), tilings), (name, encoding)


# Clauses that follow from a number of true literals

COUNTS = [(n, k) for n in range(2, 12) for k in range(1, n)]
#: Beside squares and powers of two, where groups of literals are full, and between them.
LONG = [*range(12, 38), 48, 49, 50, 63, 64, 65, 80, 81, 82, 99, 100, 101, 110, 120, 121, 122, 127, 128, 129, 143, 144, 145, 150]


def at_most(name: str, literals: Sequence[int], bound: int, new: int) -> list[list[int]]:
    """The clauses of an encoding whose own variables are numbered from `new` on."""
    formula = Formula(new - 1)
    cardinality.at_most(name, formula, literals, bound)
    return formula.clauses


def sizes(name: str, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(n, k) for n, k in pairs if k == 1 or name in cardinality.AT_MOST_K]


def rules_out_nothing(clauses: Sequence[Sequence[int]], n: int, bound: int) -> bool:
    """Whether every choice of at most `bound` of the literals 1 to n is in a model."""
    from pysat.solvers import Solver

    with Solver("glucose4", bootstrap_with=clauses) as solver:
        choices = (chosen for true in range(bound + 1) for chosen in combinations(range(1, n + 1), true))
        return all(solver.solve([v if v in chosen else -v for v in range(1, n + 1)]) for chosen in choices)


@pytest.mark.parametrize("name", CHECKED)
def test_what_encodings_write_follows_from_the_bound(name: str) -> None:
    many = [(33, 5), (64, 8), (65, 7), (100, 25), (40, 31), (150, 1)]
    for n, k in sizes(name, [*COUNTS, *(many if name in cardinality.AT_MOST_K else ((n, 1) for n in LONG))]):
        literals = [*range(1, n), -n]
        assert thresholds.are_implied(at_most(name, literals, k, n + 3), literals, k), (n, k)


@pytest.mark.parametrize("name", [*CHECKED, *UNCHECKED])
def test_it_does_not_follow_from_a_larger_bound(name: str) -> None:
    for n, k in sizes(name, [*COUNTS, (33, 5), (40, 31)]):
        assert not thresholds.are_implied(at_most(name, range(1, n + 1), k, n + 1), range(1, n + 1), k + 1), (n, k)


@pytest.mark.parametrize("name", UNCHECKED)
def test_encodings_whose_variables_have_other_meanings_are_refused(name: str) -> None:
    assert not thresholds.are_implied(at_most(name, range(1, 10), 1, 10), range(1, 10), 1)


@pytest.mark.parametrize("name", [*CHECKED, *UNCHECKED])
def test_what_follows_rules_out_nothing_within_the_bound(name: str) -> None:
    """What proofs rest on, whoever wrote the clauses: some literals are left out, changed or added at random."""
    drawn, shown, refused = random.Random(name), 0, 0
    for n, k in sizes(name, [(n, k) for n, k in COUNTS if n < 8]) * 8:
        clauses = [list(clause) for clause in at_most(name, range(1, n + 1), k, n + 1)]
        largest = max(abs(literal) for clause in clauses for literal in clause)
        for _ in range(drawn.randint(0, 2)):
            clause = drawn.choice(clauses)
            if drawn.random() < 0.5 and clause:
                clause.pop(drawn.randrange(len(clause)))
            if drawn.random() < 0.5:
                clause.append(drawn.choice((-1, 1)) * drawn.randint(1, largest))
        bound = max(0, k - drawn.randint(0, 1))
        if thresholds.are_implied(clauses, range(1, n + 1), bound):
            shown += 1
            assert rules_out_nothing(clauses, n, bound), (clauses, n, bound)
        else:
            refused += not rules_out_nothing(clauses, n, bound)
    assert refused
    assert shown or name in UNCHECKED


def test_own_variables_may_be_equal() -> None:
    equal = [[-1, 4], [-2, 4], [-4, 5], [-5, 4], [-5, 6], [-6, 5]]
    assert thresholds.are_implied([*equal, [-3, -6]], [1, 2, 3], 1)
    assert not thresholds.are_implied([*equal, [-3, -6]], [1, 2, 3], 2)
    assert not thresholds.are_implied([[-1, -5, 4], [-2, -4, 5], [-4, 5], [-5, 4]], [1, 2, 3], 1)  # a circle


def test_sets_of_literals_take_little_memory() -> None:
    """20,000 literals and as many own variables as a file of some megabytes can have."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    literals, own = range(1, 20_001), range(20_001, 320_001)
    clauses = [[-(i % 20_000 + 1), -each, each + 1] for i, each in enumerate(own[:-1])]
    assert not thresholds.are_implied(clauses, literals, 10_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000 << 10  # KiB


# False proofs


def forbid(cnf: Cnf, true: Sequence[int]) -> list[list[int]]:
    """Clauses that a chain of new variables makes of it: not all of these are true."""
    chain = range(cnf.variables + 1, cnf.variables + len(true) + 1)
    first = [[-true[0], chain[0]]]
    return [*first, *([-a, -v, b] for a, b, v in zip(chain, chain[1:], true[1:], strict=False)), [-chain[-1]]]


def a_chain(cnf: Cnf) -> None:
    cnf.say(forbid(cnf, cnf.model()))


def a_chain_in_the_last_group(cnf: Cnf) -> None:
    cnf.replace(-1, [*cnf.of_group(-1), *forbid(cnf, cnf.model())])


def a_chain_as_a_cell(cnf: Cnf) -> None:
    cnf.say(forbid(cnf, cnf.model()), cell=[0, 0], by="pairwise")


def a_chain_as_a_count(cnf: Cnf) -> None:
    cnf.say(forbid(cnf, cnf.model()), tile="2", most=39, by="totalizer")


def a_chain_as_a_corner(cnf: Cnf) -> None:
    chain = forbid(cnf, cnf.model())
    cnf.say([[cnf.model()[0], cnf.variables + 1], *chain], corner=True, by="pairwise")


CHAINS = [a_chain, a_chain_in_the_last_group, a_chain_as_a_cell, a_chain_as_a_count, a_chain_as_a_corner]


def a_bound_that_is_not_there(cnf: Cnf, most: int = 19, by: str = "totalizer") -> None:
    cnf.say(at_most(by, range(1, 40), most, cnf.variables + 1), tile="2", most=most, by=by)


def a_bound_off_by_one(cnf: Cnf) -> None:
    cnf.replace(-1, at_most("seqcounter", range(1, 40), 19, cnf.groups[-1].new), tile="2", most=19, by="seqcounter")


def a_bound_off_by_one_that_the_header_hides(cnf: Cnf) -> None:
    a_bound_off_by_one(cnf)
    cnf.groups[-1] = replace(cnf.groups[-1], fact={"tile": "2", "most": 20, "by": "seqcounter"})


def more_than_there_must_be(cnf: Cnf) -> None:
    made = at_most("seqcounter", range(-1, -40, -1), 39 - 21, cnf.groups[-2].new)
    cnf.replace(-2, made, tile="2", least=21, by="seqcounter")


def a_clause_tightened(cnf: Cnf) -> None:
    clauses = cnf.of_group(0)
    clauses[0].remove(cnf.model()[0])
    cnf.replace(0, clauses)


def a_clause_tightened_in_a_counter(cnf: Cnf) -> None:
    clauses = cnf.of_group(-1)
    cnf.replace(-1, [[literal for literal in clause if literal < 0] or clause for clause in clauses])


def a_cell_that_is_not_there(cnf: Cnf) -> None:
    cnf.say([[]], cell=[40, 0], by=None)


def a_cell_that_nothing_covers(cnf: Cnf) -> None:
    cnf.replace(0, [[]])


def a_cell_that_another_placement_covers(cnf: Cnf) -> None:
    cnf.replace(0, [[2]])


def a_tile_that_is_not_there(cnf: Cnf) -> None:
    cnf.say([[]], tile="5X", least=1, by=None)


def a_placement_less(cnf: Cnf) -> None:
    """The variable of a placement in the tiling means nothing any more, and is false."""
    out = cnf.model()[3]
    cnf.comments = [line for line in cnf.comments if not line.startswith(f"c {out} ")]
    cnf.say([[-out]], corner=True, by=None)


def a_variable_of_the_problem_as_own(cnf: Cnf) -> None:
    """The counter begins with variables that mean something: its own come out false, and with them placements."""
    old = cnf.groups[-1]
    cnf.replace(-1, at_most("seqcounter", range(1, 40), 20, 1))
    cnf.groups[-1] = replace(old, last=cnf.groups[-1].last, new=1)


def own_variables_shared(cnf: Cnf) -> None:
    """Both counters have the same variables: at least and at most."""
    least, most = cnf.groups[-2:]
    shift = most.new - least.new
    cnf.replace(-1, [[v - shift if v >= most.new else v + shift if v <= -most.new else v for v in c] for c in cnf.of_group(-1)])
    cnf.groups[-1] = replace(cnf.groups[-1], new=least.new)


def copies_that_need_not_be(cnf: Cnf) -> None:
    for name, copy in (("3I", 1), ("2", 1), ("2", 2)):
        tile = cnf.instance.number_of(name)
        meant = dimacs.read_meanings(cnf.text).items()
        there = [v for v, each in meant if each.copy == copy and cnf.instance.find(each.placement.tile) == tile]
        cnf.say([there], tile=name, copy=copy, least=1, by=None)


def pieces_that_do_not_cross(cnf: Cnf) -> None:
    """Two pieces in every tiling, as if they crossed, in corners with variables of their own."""
    for one, two in ((1, 4), (2, 3), (1, 3), (1, 2)):
        own = cnf.variables + 1
        cnf.say([[one, two, own], [-one, -two], [-one, -own], [-two, -own]], corner=True, by="pairwise")


def a_corner_that_must_be_crossed(cnf: Cnf) -> None:
    for one in range(1, 5):
        cnf.say([[one]], corner=True, by=None)


def a_corner_that_must_not_be_crossed(cnf: Cnf) -> None:
    for one in range(1, 5):
        cnf.say([[-one]], corner=True, by=None)


def corners_that_share_a_variable(cnf: Cnf) -> None:
    """So that one piece is made if and only if another is."""
    own = cnf.variables + 1
    for one in (1, 2):
        cnf.say([[one, own], [-one, -own]], corner=True, by="pairwise")


def the_greater_image(cnf: Cnf) -> None:
    """The tiling and its image change places: then each has to be the less, and the greater of two."""
    number = cnf.find(leader=[2, 1, 0])
    clauses = cnf.of_group(number)
    mine, theirs = clauses[0]
    cnf.say([[-mine, -theirs, *clause[2:]] if clause == clauses[0] else clause for clause in clauses], leader=[2, 1, 0], tiles=[])


def orders_against_each_other(cnf: Cnf) -> None:
    """A placement gets another variable, the last one; by this order the other of two images is the greater."""
    shown = PlacementVariables(cnf.instance, dimacs.read_meanings(cnf.text))
    row = sorted(copies[0] for copies in shown.copies.values())
    places = [shown.meant[v][0] for v in row]
    own = cnf.variables + 1
    cnf.say([[-row[0], own], [-own, row[0]]], made=row[0])
    row, places = [*row[1:], own], [*places[1:], places[0]]
    formula = Formula(cnf.variables)
    _leader(formula, [places.index(image(each, [2, 1, 0], {})) for each in places], row)
    cnf.say(formula.clauses, leader=[2, 1, 0], tiles=[[0, 0]])


def a_mirror_of_other_bounds(cnf: Cnf) -> None:
    """Mirrored, two of one tile would be two of the other, of which only one may be used."""
    shown = PlacementVariables(cnf.instance, dimacs.read_meanings(cnf.text))
    cells = [shown.number[3 - row, column] for row, column in shown.board]
    tiles = {0: 1, 1: 0}
    row = sorted(copies[0] for copies in shown.copies.values())
    onto = [shown.copies[image(shown.meant[v][0], cells, tiles)][0] for v in row]
    formula = Formula(cnf.variables)
    _leader(formula, [row.index(v) for v in onto], row)
    cnf.say(formula.clauses, leader=cells, tiles=sorted(tiles.items()))


def open_cells_for_monominoes(cnf: Cnf) -> None:
    """What stays open and what a tile of one cell covers change places."""
    shown = PlacementVariables(cnf.instance, dimacs.read_meanings(cnf.text))
    cells, tiles = list(range(len(shown.board))), {0: 1, 1: 0}
    row = sorted(v for v, (placed, _) in shown.meant.items() if placed[0] == 0)
    cnf.say([[-v] for v in row], leader=cells, tiles=sorted(tiles.items()))


def a_count_of_copies_with_numbers(cnf: Cnf) -> None:
    """Without numbers there is no variable of the tile, and of none not one is true."""
    cnf.say([[]], tile="2", least=2, by=None)


def pairs_for_a_larger_bound(cnf: Cnf) -> None:
    cnf.say([[-one, -two] for one, two in combinations(range(1, 40), 2)], tile="2", most=20, by="pairwise")


def copies_in_the_other_order(cnf: Cnf) -> None:
    first, second = (
        [v for v, each in dimacs.read_meanings(cnf.text).items() if each.copy == copy and each.placement.tile == "2"]
        for copy in (1, 2)
    )
    cnf.say([[-v] for v in (*first, *second)], tile="2", before=1)


def copies_in_an_order_against_the_cells(cnf: Cnf) -> None:
    """The placements of each copy change variables, and the clauses about their order stay."""
    meant = dimacs.read_meanings(cnf.text)
    other = {}
    for copy in (1, 2):
        row = sorted(v for v, each in meant.items() if each.copy == copy)
        other |= dict(zip(row, row[::-1], strict=True))
    cnf.comments = [re.sub(r"^c (\d+)", lambda m: f"c {other[int(m[1])]}", line) for line in cnf.comments]
    for number in range(cnf.find(ordered=2)):
        cnf.replace(number, [[other[abs(v)] * (1 if v > 0 else -1) for v in clause] for clause in cnf.of_group(number)])


def of_the_side(cnf: Cnf) -> tuple[int, int, list[int]]:
    """The group about the only side, the variable that says that it is green, and those of placements that make it so."""
    number = next(i for i, group in enumerate(cnf.groups) if "shared" in group.fact)
    green = cnf.groups[number].new + cnf.groups[number].fact["colours"].index("green")
    return number, green, [-clause[0] for clause in cnf.of_group(number) if len(clause) == 2 and clause[1] == green]


def a_mark_that_a_placement_does_not_give(cnf: Cnf) -> None:
    """What makes the side green is said to make it red too."""
    number, green, giving = of_the_side(cnf)
    other = green + 1 if green == cnf.groups[number].new else green - 1
    cnf.replace(number, [*cnf.of_group(number), *([-variable, other] for variable in giving)])


def a_mark_that_nothing_gives(cnf: Cnf) -> None:
    number, green, _ = of_the_side(cnf)
    cnf.replace(number, [clause for clause in cnf.of_group(number) if clause[0] != -green] + [[-green]])


def a_cell_that_must_give_another_mark(cnf: Cnf) -> None:
    """Of a cell beside the side it is said that only what makes it red may lie there."""
    number, _, giving = of_the_side(cnf)
    clauses = [[literal for literal in clause if literal not in giving] for clause in cnf.of_group(number)]
    cnf.replace(number, clauses)


def a_cell_off_the_board(cnf: Cnf) -> None:
    number, green, _ = of_the_side(cnf)
    cnf.replace(number, [*cnf.of_group(number), [-green]], **{**cnf.groups[number].fact, "beside": [[0, 0], [0, 1], [0, 2]]})


def marks_of_a_side(cnf: Cnf, one: list[int], other: list[int]) -> None:
    """Every placement is said to make a side both red and green."""
    new, placed = cnf.variables + 1, range(1, cnf.groups[0].new)
    clauses = [[-new, -new - 1], *([-v, mark] for v in placed for mark in (new, new + 1)), [-new, *placed], [-new - 1, *placed]]
    cnf.say(clauses, new, shared=[one, other], colours=["red", "green"], beside=[], by="pairwise")


def marks_on_the_border(cnf: Cnf) -> None:
    marks_of_a_side(cnf, [0, 0], [-1, 0])


def marks_off_the_board(cnf: Cnf) -> None:
    marks_of_a_side(cnf, [1, 0], [1, 1])


def marks_of_cells_apart(cnf: Cnf) -> None:
    marks_of_a_side(cnf, [0, 1], [0, 1])


def marks_told_again_from_the_other_cell(cnf: Cnf) -> None:
    """From there green is seen as green, and red as red."""
    marks_of_a_side(cnf, [0, 1], [0, 0])


def a_mark_twice(cnf: Cnf) -> None:
    """Green under two variables, which exclude each other."""
    _, _, giving = of_the_side(cnf)
    new = cnf.variables + 1
    clauses = [[-new, -new - 1], *([-v, new + i] for v in giving for i in (0, 1)), [-new, *giving], [-new - 1, *giving]]
    cnf.say(clauses, new, shared=[[0, 1], [0, 0]], colours=["green", "green"], beside=[], by="pairwise")


MARKS = [
    *(a_mark_that_a_placement_does_not_give, a_mark_that_nothing_gives, a_cell_that_must_give_another_mark),
    *(a_cell_off_the_board, marks_on_the_border, marks_off_the_board, marks_of_cells_apart),
    *(marks_told_again_from_the_other_cell, a_mark_twice),
]

FALSE: list[tuple[Callable[[Cnf], None], list[Any]]] = [
    *((chain, [["40x1", "2"]]) for chain in CHAINS),
    *((chain, [["40x1", "20..20:2"]]) for chain in CHAINS),
    *((chain, [["40x1", "2", "3L"]]) for chain in CHAINS[:2]),
    *((chain, [["60x1", "3I"]]) for chain in CHAINS[:2]),
    *((each, [["40x1", "2"]]) for each in (a_bound_that_is_not_there, a_clause_tightened, a_placement_less)),
    *((each, [["40x1", "2"]]) for each in (a_cell_that_is_not_there, a_cell_that_nothing_covers, a_tile_that_is_not_there)),
    *((each, [["40x1", "2"]]) for each in (a_cell_that_another_placement_covers,)),
    *((each, [["40x1", "20..20:2"]]) for each in (a_bound_off_by_one, a_bound_off_by_one_that_the_header_hides)),
    *((each, [["40x1", "20..20:2"]]) for each in (more_than_there_must_be, a_clause_tightened_in_a_counter)),
    *((each, [["40x1", "20..20:2"]]) for each in (own_variables_shared, a_variable_of_the_problem_as_own)),
    (copies_that_need_not_be, [["4x1", "1", "2:2", "1:3I"], "amo-auto"]),
    (copies_in_the_other_order, [["4x1", "2..2:2", "1:1"], "amo-auto"]),
    (copies_in_an_order_against_the_cells, [["4x1", "2..2:2"], "amo-ordered"]),
    (a_count_of_copies_with_numbers, [["4x1", "2..2:2", "1"], "amo-auto"]),
    (pairs_for_a_larger_bound, [["40x1", "2"]]),
    (pieces_that_do_not_cross, [["1x1", "2-2"], "amk-seqcounter", "lattice: square-edges", "crossing: no"]),
    (a_corner_that_must_be_crossed, [["1x1", "2-2"], "amk-seqcounter", "lattice: square-edges", "crossing: no"]),
    (a_corner_that_must_not_be_crossed, [["1x1", "2-2"], "amk-seqcounter", "lattice: square-edges", "crossing: no"]),
    (corners_that_share_a_variable, [["1x1", "2-2"], "amk-seqcounter", "lattice: square-edges", "crossing: no"]),
    (the_greater_image, [["3x1", "1:1", "1:2"], "lex"]),
    (orders_against_each_other, [["3x1", "1:1", "1:2"], "lex"]),
    (a_mirror_of_other_bounds, [["2x4", "1:4J", "2:4L"]]),
    (open_cells_for_monominoes, [["ooo", "3..3:1"], "amk-seqcounter"]),
    *((each, [["2x1", "1:1 [bgbb]", "1:1 [rrrg]"], "amk-seqcounter", "colours: r red, g green, b blue"]) for each in MARKS),
]


@pytest.mark.parametrize(("change", "told"), [pytest.param(*each, id=f"{each[0].__name__} {each[1][0][1:]}") for each in FALSE])
def test_no_false_proof_is_shown(change: Callable[[Cnf], None], told: list[Any]) -> None:
    """Boards that have tilings, with clauses that have no model: which is what the proof says, and no more."""
    shapes, encoding, *settings = [*told, "amk-seqcounter"][: max(2, len(told))]
    symmetry = "lex" if encoding == "lex" else "off"
    instance = problem(shapes, *settings)
    assert solve(instance, "sat" if instance.is_painted else "dlx").solutions
    cnf = Cnf.of(instance, "amk-seqcounter" if symmetry == "lex" else encoding, symmetry=symmetry)
    assert cnf.why_not_shown is None
    change(cnf)
    steps = cnf.refutation()
    assert steps is not None
    found = refutation.check(instance, ("a.cnf", cnf.text), ("a.drup", steps))
    assert found.wrong is None
    assert found.not_shown is not None


#: Problems with tilings, and stricter ones without. All that is in the second's clauses but some bound, is in the first's too.
STRICTER = {
    "bounds": (problem(["4x1", "1", "2:2", "1:3I"]), problem(["4x1", "1", "2..2:2", "1..1:3I"])),
    "one copy more": (problem(["5x1", "1..:2", "1"]), problem(["5x1", "2..:2", "1"])),
    "most": (problem(["4x2", "4:2", "1:1"]), problem(["4x2", "3:2", "1:1"])),
    "open": (problem(["3x1", "2"], "open: 1"), problem(["3x1", "2"], "open: 2..3")),
    "optional": (problem(["xxo", "2"]), problem(["xxx", "2"])),
    "reflections": (problem(["2x4", "2:4L"], "reflections: yes"), problem(["2x4", "2:4L"])),
    "forbidden": (problem(["4x2", "2"]), problem(["4x2", "2"], "forbid: 0,0 for 2")),
    "crossing": (problem(["2x2", "2-1"], "lattice: square-edges"), BOARDS["edges"]),
    "smaller": (problem(["4x1", "2"]), problem(["3x1", "2"])),
    "mates": (
        problem(["2x1", "2:1 [rrgg]"], "colours: r red, g green", "mates: red green"),
        problem(["2x1", "2:1 [rrgg]"], "colours: r red, g green"),
    ),
    "border": (
        problem(["2x1", "2:1 [rrgg]"], "colours: r red, g green"),
        problem(["2x1", "2:1 [rrgg]"], "colours: r red, g green", "border: red at top"),
    ),
    "seams": (
        problem(["1x3", "3:1 [rrgr]"], "colours: r red, g green"),
        problem(["1x3", "3:1 [rrgr]"], "colours: r red, g green", "wrap: columns"),
    ),
}


@pytest.mark.parametrize("name", STRICTER)
@pytest.mark.parametrize("encoding", ["amk-seqcounter", "amo-auto", "amo-ordered"])
@pytest.mark.parametrize("symmetry", ["off", "lex"])
def test_clauses_of_a_stricter_problem_are_not_shown(name: str, encoding: str, symmetry: str) -> None:
    looser, stricter = STRICTER[name]
    cnf = Cnf.of(stricter, encoding, symmetry=symmetry)
    assert cnf.why_not_shown is None
    cnf.instance = looser
    assert cnf.why_not_shown is not None


def a_group_twice(cnf: Cnf) -> None:
    """Its own variables are others the second time."""
    cnf.say(at_most("seqcounter", range(1, 40), 20, cnf.variables + 1), tile="2", most=20, by="seqcounter")


def a_group_less(cnf: Cnf) -> None:
    del cnf.groups[3]


def a_group_that_begins_later(cnf: Cnf) -> None:
    cnf.groups[1] = replace(cnf.groups[1], first=cnf.groups[1].first + 1)


def a_group_that_ends_later(cnf: Cnf) -> None:
    cnf.groups[-1] = replace(cnf.groups[-1], last=cnf.groups[-1].last + 1)


def groups_that_overlap(cnf: Cnf) -> None:
    cnf.groups[1] = replace(cnf.groups[1], first=cnf.groups[1].first - 1)


def two_meanings_exchanged(cnf: Cnf) -> None:
    cnf.comments = [re.sub(r"^c (1|2) ", lambda m: f"c {3 - int(m[1])} ", line) for line in cnf.comments]


def a_clause_that_follows(cnf: Cnf) -> None:
    cnf.say([[1, 2]])


def the_same_clause_again(cnf: Cnf) -> None:
    cnf.replace(-1, [*cnf.of_group(-1), cnf.of_group(-1)[-1]])


def a_clause_less(cnf: Cnf) -> None:
    cnf.replace(-1, cnf.of_group(-1)[:-1])


def another_encoding(cnf: Cnf) -> None:
    cnf.groups[-1] = replace(cnf.groups[-1], fact={"tile": "2", "most": 20, "by": "totalizer"})


def no_encoding(cnf: Cnf) -> None:
    cnf.groups[-1] = replace(cnf.groups[-1], fact={"tile": "2", "most": 20, "by": ["totalizer"]})


def words_for_numbers(cnf: Cnf) -> None:
    cnf.groups[-1] = replace(cnf.groups[-1], fact={"tile": 2, "most": "20", "by": "seqcounter"})


def a_fact_of_no_kind(cnf: Cnf) -> None:
    cnf.groups[-1] = replace(cnf.groups[-1], fact={"axiom": True})


def no_groups(cnf: Cnf) -> None:
    cnf.groups = []


LIES = [
    *(a_group_less, a_group_that_begins_later, a_group_that_ends_later, groups_that_overlap),
    *(two_meanings_exchanged, a_clause_that_follows, words_for_numbers, a_fact_of_no_kind, no_groups),
]


@pytest.mark.parametrize("change", LIES)
def test_clauses_without_a_fact_of_the_problem_are_not_shown(change: Callable[[Cnf], None]) -> None:
    cnf = Cnf.of(problem(["40x1", "20..20:2"]))
    change(cnf)
    assert cnf.why_not_shown is not None


@pytest.mark.parametrize("change", [a_group_twice, the_same_clause_again, a_clause_less, another_encoding, no_encoding])
def test_what_follows_from_the_problem_is_shown_whoever_wrote_it(change: Callable[[Cnf], None]) -> None:
    cnf = Cnf.of(problem(["40x1", "20..20:2"]))
    change(cnf)
    assert cnf.why_not_shown is None


def test_no_changed_clause_is_shown_unless_it_holds_in_every_tiling() -> None:
    drawn, shown, refused = random.Random(1), 0, 0
    for board in ("open", "optional", "mirrored", "marks", "tabs"):
        tilings = tilings_of(BOARDS[board])
        for encoding in drawn.sample(ENCODINGS, 6):
            cnf = Cnf.of(BOARDS[board], encoding)
            for _ in range(6):
                changed = replace(cnf, clauses=[list(clause) for clause in cnf.clauses])
                clause = drawn.choice(changed.clauses)
                literal = drawn.choice((-1, 1)) * drawn.randint(1, cnf.variables)
                if drawn.random() < 0.7:
                    clause.remove(drawn.choice(clause))
                elif literal not in clause:
                    clause.append(literal)
                else:
                    clause.remove(literal)
                if changed.why_not_shown is None:
                    shown += 1
                    assert leaves_tilings(changed, tilings), (board, encoding, clause)
                else:
                    refused += 1
    assert refused > shown > 0, (refused, shown)


@pytest.mark.parametrize("symmetry", ["off", "lex"])
def test_no_clause_that_lacks_a_literal_is_shown(symmetry: str) -> None:
    """Of the facts whose clauses are written again: none of these is longer than it must be."""
    small = (problem(["4x1", "2..2:2"]), "amo-ordered"), (problem(["3x2", "2:2", "2"]), "amo-pairwise")
    marked = problem(["2x1", "1:1 [bgbb]", "1:1 [rrrg]"], "colours: r red, g green, b blue"), "amk-seqcounter"
    for instance, encoding in (*small, marked):
        cnf = Cnf.of(instance, encoding, symmetry=symmetry)
        for number, clause in enumerate(cnf.clauses):
            group = next(group for group in cnf.groups if group.first <= number + 1 <= group.last)
            if {"cell", "most"}.isdisjoint(group.fact) and clause[1:] not in cnf.clauses:
                shorter = [*cnf.clauses[:number], clause[1:], *cnf.clauses[number + 1 :]]
                assert replace(cnf, clauses=shorter).why_not_shown is not None, (encoding, clause)


def meaning_of(instance: Instance, encoding: str) -> dict[int, dimacs.Meaning]:
    return dimacs.read_meanings(Cnf.of(instance, encoding).text)


def test_a_placement_has_one_variable_for_each_copy() -> None:
    """Two would be true together, though a cell is covered once."""
    for encoding, copies in (("amk-auto", (0, 1)), ("amo-auto", (0, 1, 3))):
        instance = problem(["4x1", "2..2:2"])
        meanings = meaning_of(instance, encoding)
        PlacementVariables(instance, meanings)
        for copy in copies:
            with pytest.raises(NotShownError):
                PlacementVariables(instance, {**meanings, 99: replace(meanings[1], copy=copy)})


def test_copies_are_in_the_order_of_their_least_cells() -> None:
    instance = problem(["7x1", "2:2", "1"])
    shown = PlacementVariables(instance, meaning_of(instance, "amo-auto"))
    rows = shown.rows(0)
    assert shown.are_in_order(rows)
    first, second = rows
    for others in ([first[::-1], first[::-1][1:]], [first[1:], second[1:]], [first, first], [first, second[1:]], []):
        assert not shown.are_in_order(others)


def test_pieces_cross_if_they_take_turns_round_a_corner() -> None:
    instance = problem(["2x2", "2-1", "2-2"], "lattice: square-edges", "crossing: no")
    meanings = meaning_of(instance, "amk-auto")
    shown = PlacementVariables(instance, meanings)

    def crossing(*pieces: set[tuple[int, int]]) -> bool:
        return shown.exclude([v for v, each in meanings.items() if each.placement.cells in pieces])

    up, left, right, down = (1, 2), (2, 1), (2, 3), (3, 2)
    assert crossing({up, down}, {left, right})
    assert not crossing({up, left}, {right, down})
    assert not crossing({up, right}, {left, down})


def test_symmetries_keep_placements_bounds_and_corners() -> None:
    shown = PlacementVariables(problem(["3x1", "1:1", "2"]), meaning_of(problem(["3x1", "1:1", "2"]), "amk-auto"))
    assert list(shown.images([2, 1, 0], {}))
    for cells in ([1, 0, 2], [0, 0, 2], [0, 1], [0, 1, 2, 3]):
        assert not list(shown.images(cells, {}))
    for tiles in ({0: 1}, {0: 1, 1: 0}, {0: 0, 1: 0}, {2: 2}):
        assert not list(shown.images([2, 1, 0], tiles))
    for settings, kept in (("crossing: yes",), True), (("crossing: no",), False):
        instance = problem(["2x2", "1-1"], "lattice: square-edges", *settings)
        shown = PlacementVariables(instance, meaning_of(instance, "amk-auto"))
        assert bool(list(shown.images([5, 1, 2, 3, 4, 0, *range(6, 12)], {}))) is kept


def test_symmetries_keep_marks_and_which_of_them_fit() -> None:
    letters = "colours: r red, g green, b blue"
    turn, mirror = [3, 2, 1, 0], [1, 0, 3, 2]
    for tiles, mirrored in ((["1:1 [rrgg]", "3:1 [rgrg]"], True), (["4:1 [rgbr]"], False)):
        instance = problem(["2x2", *tiles], letters, "mates: red blue")
        shown = PlacementVariables(instance, meaning_of(instance, "amk-auto"))
        assert len(list(shown.images(turn, {}))) == 1
        assert len(list(shown.images(mirror, {}))) == mirrored, tiles
        assert not list(shown.images([0, 2, 1, 3], {})) or mirrored  # a mirror too, along the diagonal
        assert not list(shown.images([0, 1, 3, 2], {}))
    row = problem(["2x1", "2:1 [rrgg]"], letters)
    ways = list(PlacementVariables(row, meaning_of(row, "amk-auto")).images([1, 0], {}))
    assert len(ways) == 2  # a half turn and a mirror: they differ in where they lead marks
    assert ways[0] != ways[1]
    bordered = problem(["1x2", "2:1 [rgbr]"], letters, "border: red green at top", "border: blue at bottom")
    assert not list(PlacementVariables(bordered, meaning_of(bordered, "amk-auto")).images([1, 0], {}))


# Files and the command


def test_files_that_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refutation, "_PROGRAM", "no-such-program")
    problem, drup, cnf = str(ROOT / "problems/4L/06x06_u.txt"), tmp_path / "out.drup", tmp_path / "out.cnf"
    assert main(["solve", problem, "--solver", "sat", "--proof", str(drup)]) == 0
    capsys.readouterr()
    assert main(["check", problem, str(drup), "--of", str(cnf)]) == 0
    assert capsys.readouterr().out.startswith("the proof holds: there is no tiling (")
    other = str(ROOT / "problems/4L/06x10_u.txt")
    assert main(["check", other, str(drup), "--of", str(cnf)]) == 3
    assert capsys.readouterr().out.startswith("not shown: the clauses have no model (")
    cnf.write_text(re.sub("c .*\n", "", cnf.read_text()))
    assert main(["check", problem, str(drup), "--of", str(cnf)]) == 3
    assert "no comment says which groups of clauses there are" in capsys.readouterr().out
    drup.write_text("0\n")
    assert main(["check", problem, str(drup), "--of", str(cnf)]) == 4
    assert capsys.readouterr().out.startswith("wrong: ")


def last_line(text: str) -> str:
    return text[: text.rstrip("\n").rindex("\n") + 1]


DAMAGED: list[tuple[str, Callable[[str], str], Callable[[str], str], str]] = [
    ("cut off", str, lambda drup: drup[: drup.index("\n") + 1], "it ends before the contradiction"),
    ("empty", str, lambda drup: "", "it ends before the contradiction"),
    ("no end", str, lambda drup: drup.replace(" 0\n", "\n", 1), "0 at the end"),
    ("letters", str, lambda drup: drup.replace("\n", " x\n", 1), "a clause is literals"),
    ("not so", str, lambda drup: "-1 0\n" + drup, "line 1: this clause does not follow"),
    ("claimed", str, lambda drup: "0\n", "line 1: this clause does not follow"),
    ("fewer clauses", last_line, str, "cut off or damaged"),
    ("no head", lambda cnf: cnf.replace("p cnf", "c cnf"), str, "must come before the clauses"),
    ("no group", lambda cnf: cnf.replace("c group 1 ", "c group one "), str, "not a group of clauses"),
    ("no fact", lambda cnf: cnf.replace('"by": ', '"by" ', 1), str, "not JSON"),
]


@pytest.mark.parametrize(("cnf", "drup", "text"), [pytest.param(*case[1:], id=case[0]) for case in DAMAGED])
def test_what_is_damaged_is_refused(cnf: Callable[[str], str], drup: Callable[[str], str], text: str) -> None:
    instance = formats.inline(["5x4", "4L"])
    (name, clauses), (other, steps) = proof_of(instance, "sat:engine=glucose4,cell=pairwise")
    changed = (name, cnf(clauses)), (other, drup(steps))
    assert changed != ((name, clauses), (other, steps))
    try:
        wrong = refutation.check(instance, *changed).wrong
    except formats.InputError as error:
        wrong = str(error)
    assert wrong is not None
    assert text in wrong


def test_another_proof_does_not_do() -> None:
    instance = formats.inline(["5x4", "4L"])
    cnf, _ = proof_of(instance, "sat:engine=glucose4")
    _, drup = proof_of(formats.inline([".xxx/xxxx/xxxx/xxx.", "2"]), "sat:engine=glucose4")
    assert refutation.check(instance, cnf, drup).wrong


def test_drat_trim_takes_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["5x4", "4L"])
    (_, clauses), (_, steps) = proof_of(instance, "sat")
    cnf, drup, program = tmp_path / "a.cnf", tmp_path / "a.drup", tmp_path / "drat-trim"
    cnf.write_text(clauses)
    drup.write_text(steps)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for says, wrong in (("s VERIFIED", None), ("s NOT VERIFIED", "drat-trim does not take it: s NOT VERIFIED")):
        program.write_text(f"#!/bin/sh\ntest -f $1 && test -f $2 && echo '{says}'\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        found = refutation.check(instance, (str(cnf), clauses), (str(drup), steps))
        assert (found.wrong, found.not_shown, found.checked) == (wrong, None, "by drat-trim")


#: 1; without it, 2 follows by no unit propagation. 3 is true as soon as 1 is.
UNITS = rup.Cnf(4, ((1,), (-1, 3), (-1, 2, 4), (-3, 2, -4), (-2, 4), (-2, -4)))


def test_only_variables_that_occur_take_memory() -> None:
    """A file of some bytes would ask for 7 GiB, by its first line or by a literal."""
    most = 1 << 29
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert rup.follow(rup.Cnf(most, UNITS.clauses), "2 0\n0\n") == rup.follow(UNITS, "2 0\n0\n")
    large = [tuple({3: most, -3: -most}.get(each, each) for each in clause) for clause in UNITS.clauses]
    assert rup.follow(rup.Cnf(most, tuple(large)), f"{-most} 2 0\n2 0\n0\n").wrong is None
    assert (
        rup.follow(rup.Cnf(most, tuple(large[1:])), "2 0\n0\n").wrong
        == "line 1: this clause does not follow from those before it"
    )
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000 << 10  # KiB; compiling takes some too


def test_deletions_of_unit_clauses_are_ignored() -> None:
    """As drat-trim does: of a clause with one literal, and of one from which a literal followed."""
    for proof in ("2 0\n0\n", "d 1 0\n2 0\n0\n", "d -1 3 0\n2 0\n0\n", "d 1 0\nd -1 3 0\n2 0\n0\n"):
        assert rup.follow(UNITS, proof).wrong is None, proof


def test_deletions_of_other_clauses_are_not_ignored() -> None:
    assert rup.follow(UNITS, "d 4 2 -1 0\n2 0\n0\n").wrong == "line 2: this clause does not follow from those before it"
    assert rup.follow(UNITS, "2 0\nd -2 4 0\n0\n").wrong is None  # By then 2 and 4 are true for good.


def holds_with_every_deletion(cnf: rup.Cnf, proof: str) -> bool:
    """The other convention: what followed from a deleted clause is no longer known."""
    clauses = [frozenset(clause) for clause in cnf.clauses]
    for line in proof.splitlines():
        clause = frozenset(int(word) for word in line.removeprefix("d ").split()[:-1])
        if line.startswith("d "):
            if clause in clauses:
                clauses.remove(clause)
            continue
        true = {-literal for literal in clause}
        left, conflict = True, False
        while left and not conflict:
            open_ = [each - {-literal for literal in true} for each in clauses if true.isdisjoint(each)]
            left, conflict = {literal for each in open_ if len(each) == 1 for literal in each}, frozenset() in open_
            true |= left
            conflict = conflict or any(-literal in true for literal in true)
        if not conflict:
            return False
        clauses.append(clause)
    return True


def test_the_proofs_above_tell_the_two_conventions_apart() -> None:
    assert holds_with_every_deletion(UNITS, "2 0\n0\n")
    assert not holds_with_every_deletion(UNITS, "d 1 0\n2 0\n0\n")
    assert not holds_with_every_deletion(UNITS, "d -1 3 0\nd 1 0\n2 0\n0\n")


def test_a_proof_of_an_engine_that_holds_only_if_they_are_ignored() -> None:
    instance = formats.inline(["6x4", "4:4O", "2:4T"])
    cnf, drup = proof_of(instance, "sat:engine=maplecm,encoding=amk-totalizer")
    assert not holds_with_every_deletion(rup.read_cnf(cnf[1]), drup[1])
    found = refutation.check(instance, cnf, drup)
    assert (found.wrong, found.not_shown) == (None, None)


def test_the_check_is_independent() -> None:
    """It knows no encoder and no engine, nor the code that lists placements for the search."""
    folder = Path(faithful.__file__).parent
    encoders = ("tiling", "cardinality", "at_most_one", "at_most_k", "formula", "lex", "items", "engines")
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            for name in named:
                assert not name.startswith(("pysat", "pindakaas", "tiler.cover", *(f"tiler.backends.sat.{e}" for e in encoders)))


def test_engines_that_write_proofs() -> None:
    for engine in [name for name, each in ENGINES.items() if each.proves]:
        check_is_proved(formats.inline(["4x3", "2..3:3L", "1:3I"]), f"sat:engine={engine}")
