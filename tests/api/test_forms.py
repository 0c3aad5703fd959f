"""The questions as data: each with the parameters that its function takes."""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict

import pytest

import tiler
from tiler.api.answers.tiling import Tiling
from tiler.api.forms import Form, forms
from tiler.ask.features.predicates import FEATURES
from tiler.errors import BadArgument

FORMS = {form.name: form for form in forms()}


def function_of(form: Form) -> object:
    return getattr(Tiling if form.about == "tiling" else tiler, form.name)


def test_every_function_that_takes_time_is_a_form() -> None:
    functions = {name: getattr(tiler, name) for name in tiler.__all__ if inspect.isfunction(getattr(tiler, name))}
    limited = {name for name, function in functions.items() if "seconds" in inspect.signature(function).parameters}
    assert set(FORMS) == {*limited, "apart"}
    assert FORMS["hint"].help.startswith("Say where the next piece goes")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_form_has_the_parameters_of_its_function(form: Form) -> None:
    signature = inspect.signature(function_of(form)).parameters  # type: ignore[arg-type]
    assert [each.name for each in form.parameters] == [n for n in signature if n not in ("self", "progress", form.about)]
    for each in form.parameters:
        assert signature[each.name].default == (inspect.Parameter.empty if each.is_required else each.default)
        assert each.kind
        assert each.help
        assert set(each.excludes) <= set(signature)
    json.dumps(asdict(form))


def test_a_form_says_what_a_parameter_takes() -> None:
    choose = {each.name: each for each in FORMS["choose"].parameters}
    assert choose["most"].excludes == ("seed",)
    assert next(each for each in FORMS["solve"].parameters if each.name == "executor").excludes == ("optimise", "features")
    assert (choose["pieces"].kind, choose["pieces"].absent) == ("count", "any number")
    count = {each.name: each for each in FORMS["count"].parameters}
    assert count["features"].choices == tuple(FEATURES)
    assert FORMS["benchmark"].parameters[1].choices == ("decide", "count")
    assert "hexagonal" in next(each for each in FORMS["plane"].parameters if each.name == "lattice").choices


def test_a_method_checks_its_arguments_too() -> None:
    tiling = tiler.solve(tiler.make("2x2", "2")).tiling
    assert tiling is not None
    with pytest.raises(BadArgument, match="apart: there is no argument 'second'; write seconds="):
        tiling.apart(second=1)  # type: ignore[call-arg]
    with pytest.raises(BadArgument, match="seconds=-1: it must be a number above 0"):
        tiling.apart(seconds=-1)
