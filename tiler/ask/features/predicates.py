"""Features by which tilings are filtered: no fault line, no crossroads, copies of a tile apart, all pieces on the border, pieces
that come apart. No feature depends on how the board is turned: it holds for all tilings of an orbit or for none. How they are
looked for: sieves.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tiler import extensions
from tiler.ask.features.feature import Feature
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Shape


def refuse_senseless(instance: Instance, names: Iterable[str]) -> None:
    """BadOption if one of these features makes no sense for the instance."""
    for name in names:
        why = FEATURES[name].refusal(instance)
        if why:
            raise BadOption(f"{name}: {why}")


def border_of(instance: Instance) -> Shape:
    """The cells of the board that have a side on its border."""
    return frozenset(side.cell for side in instance.border)


def _no_boxes(instance: Instance) -> str | None:
    return None if instance.has_boxes else "it is about boards of squares or cubes that are not wrapped"


def _in_space(instance: Instance) -> str | None:
    return "it is about boards in the plane" if instance.dimension == 3 else None


def _never(instance: Instance) -> str | None:
    return None


#: All of them, by their names.
FEATURES: Mapping[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("fault-free", "every straight line through the board cuts a piece", _no_boxes),
        Feature("no-crossroads", "no four pieces meet in a point", _in_space),
        Feature("apart", "no two copies of a tile share a side", _never),
        *(extensions.loaded(each) for manifest in extensions.manifests() for each in manifest.features),
        Feature("border", "every piece has a side on the border of the board", _never),
    )
}
