"""Translate the names that solvers have in the Tiler thesis into specs: `sat_cms_breakid_amo-seq` is
`sat:engine=cryptominisat,symmetry=breakid,encoding=amo-seqcounter,cell=seqcounter`.

A name there is a kind and then a word from each of its lists, joined by `_`. Such a word stands for options here.

Source: Mišiak, Computational approaches to polyomino tiling problems, 2022, Appendix B; later versions of its program also have
`kissat` and `noprep`. An encoding of at most one (amo) is also used for cells there (2.4.1). With at most k (amk), cells have the
best one for their number of placements.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tiler.amounts import counted
from tiler.errors import suggest

Words = Mapping[str, str]  # the options that each word of a list stands for


class Kind(NamedTuple):
    """A kind of solver in the thesis: what it is here, and the lists of words that follow."""

    backend: str
    lists: tuple[Words, ...]


_SAT_ENGINES: Words = {"cadical": "", "cms": "engine=cryptominisat", "kissat": "engine=kissat404"}
_BREAKERS: Words = {"no-breaker": "", "breakid": "symmetry=breakid", "noprep": ""}
_ENCODINGS: Words = {
    "amo-auto": "encoding=amo-auto",
    "amo-seq": "encoding=amo-seqcounter,cell=seqcounter",
    "amo-bimander": "encoding=amo-bimander,cell=bimander",
    "amo-commander": "encoding=amo-commander,cell=commander",
    "amo-kproduct": "encoding=amo-product,cell=product",
    "amo-binary": "encoding=amo-bitwise,cell=bitwise",
    "amo-ordered": "encoding=amo-ordered,cell=seqcounter",
    "amk-auto": "encoding=amk-auto",
    "amk-bdd": "encoding=amk-bdd",
    "amk-card": "encoding=amk-cardnetwrk",
}
_ILP_ENGINES: Words = {"cbc": "engine=cbc", "gurobi": "engine=gurobi"}
_SETTINGS: Words = {"default": "", "adjusted": "tuning=adjusted"}
_OBJECTIVES: Words = {name: f"objective={name}" for name in ("eq-ign", "eq-min", "geq-min", "leq-max")}
_ORDERS: Words = {"default": "", "frequent": "order=frequent", "rare": "order=rare", "fill-row": "order=fill-row"}

#: The kinds by their names. `dlx` alone is the name of our own solver, so the one of the thesis is called dlx_default.
KINDS: Mapping[str, Kind] = {
    "simple": Kind("backtracking", (_ORDERS,)),
    "dlx": Kind("dlx", ({"default": "copies=named"},)),
    "sat": Kind("sat", (_SAT_ENGINES, _BREAKERS, _ENCODINGS)),
    "ilp": Kind("ilp", (_ILP_ENGINES, _SETTINGS, _OBJECTIVES)),
}
_CSP_SOLVERS = ("gecode", "chuffed", "gurobi")

#: Programs that names stand for, as `[[solver]]` tables: MiniZinc's geost by each of its solvers (2.6).
PROGRAMS: Mapping[str, Mapping[str, Any]] = {
    f"{solver} geost": {
        "name": f"{solver} geost",
        "command": f"minizinc --solver {solver} --statistics {{mzn}} {{dzn}}",
        "input": "mzn",
        "model": "geost",
        "output": "minizinc",
        "version": "minizinc --version",
        "colour": "#aa4499",
    }
    for solver in _CSP_SOLVERS
}


def _names() -> Iterator[tuple[str, str]]:
    for name, kind in KINDS.items():
        for words in itertools.product(*kind.lists):
            yield "_".join([name, *words]), _spec(kind, words)
    yield from ((f"csp_{solver}", f"{solver} geost") for solver in _CSP_SOLVERS)
    sat = KINDS["sat"]
    for place in (0, 2):  # An engine or an encoding alone has the defaults of the others.
        for word, options in sat.lists[place].items():
            yield word, ":".join(filter(None, [sat.backend, options]))


def _spec(kind: Kind, words: tuple[str, ...]) -> str:
    options = [by_word[word] for by_word, word in zip(kind.lists, words, strict=True)]
    return ":".join(filter(None, [kind.backend, ",".join(filter(None, options))]))


#: The spec of each name.
NAMES: Mapping[str, str] = dict(_names())


def translated(spec: str) -> str:
    """The spec that a name of the thesis stands for, with the options that follow it; any other spec stays as it is.

    >>> translated("sat_cadical_no-breaker_amk-card"), translated("simple_rare:filter=dead"), translated("dlx")
    ('sat:encoding=amk-cardnetwrk', 'backtracking:order=rare,filter=dead', 'dlx')
    """
    name, _, options = spec.partition(":")
    if name not in NAMES:
        return spec
    ours, _, given = NAMES[name].partition(":")
    return ":".join(filter(None, [ours, ",".join(filter(None, [given, options]))]))


def error_in(name: str) -> str | None:
    """What is wrong with a name that begins as one of the thesis; None if it does not begin so.

    >>> error_in("sat_cadical_no-braker_amk-card")
    "'no-braker' is not one of no-breaker, breakid, noprep; nearest: no-breaker, noprep, breakid"
    >>> error_in("sat_cadical")
    'sat_ is followed by 3 words: cadical, cms or kissat; no-breaker, breakid or noprep; amo-auto, amo-seq, ...'
    """
    if name[:4] in ("amo-", "amk-"):
        return f"it is not one of {', '.join(_ENCODINGS)}{suggest(name, _ENCODINGS)}"
    kind, *words = name.split("_")
    lists = [list(by_word) for by_word in KINDS[kind].lists] if kind in KINDS else [list(_CSP_SOLVERS)] if kind == "csp" else []
    if not lists:
        return None
    for word, known in zip(words, lists, strict=False):
        if word not in known:
            return f"{word!r} is not one of {', '.join(known)}{suggest(word, known)}"
    wanted = "; ".join(", ".join(known[:2]) + ", ..." if len(known) > 4 else _either(known) for known in lists)
    return f"{kind}_ is followed by {counted(len(lists), 'word')}: {wanted}"


def _either(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def rows() -> Iterator[tuple[str, str]]:
    """The rows of a table for readers: a name of the thesis, or what a word in it changes, and the spec or the options."""
    for name, kind in KINDS.items():
        *others, last = kind.lists
        first = [next(iter(words)) for words in others]
        for word in last:
            named = "_".join([name, *first, word])
            yield f"`{named}`", f"`{NAMES[named]}`"
        for words in others:
            for word, options in list(words.items())[1:]:
                yield (
                    f"`{name}_` with `{word}` in place of `{next(iter(words))}`",
                    f"also `{options}`" if options else "the same",
                )
    for solver in _CSP_SOLVERS:
        yield f"`csp_{solver}`", f"the program `{PROGRAMS[NAMES[f'csp_{solver}']]['command']}` (its model `geost`)"
