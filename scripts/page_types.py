"""Write the types of the messages between the studio's page and its engine, in TypeScript."""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from tiler.apps.studio import campaign_messages, catalogue_messages, messages, race_messages
from tiler.apps.studio.message_json import hints, name_of

TYPES_FILE = Path(messages.__file__).parent / "page" / "messages.d.ts"

#: The modules that define messages.
_MODULES = (catalogue_messages, messages, campaign_messages, race_messages)
_REQUESTS = (*messages.REQUESTS, *campaign_messages.REQUESTS, *race_messages.REQUESTS)

_NAMES: dict[Any, str] = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null"}


def declarations() -> str:
    """The types of all messages, in TypeScript."""
    lines = ["// Written by scripts/page_types.py from tiler/apps/studio/messages.py: do not edit.", ""]
    for kind in _kinds():
        lines.append(f"/** {' '.join((kind.__doc__ or '').split())} */")
        lines.append(f"export interface {name_of(kind)} {{")
        for field in fields(kind):
            mark = "" if field.default is MISSING else "?" if kind in _REQUESTS else ""
            lines.append(f"  {field.name}{mark}: {_type_of(hints(kind)[field.name])};")
        lines += ["}", ""]
    for name, union in messages.UNIONS.items():
        lines.append(f"export type {name} = {' | '.join(map(name_of, get_args(union)))};")
    return "\n".join(lines) + "\n"


def _kinds() -> list[Any]:
    """Every kind of message, those inside others included, in the order of the modules."""
    every = {name: kind for module in _MODULES for name, kind in vars(module).items()}
    return [kind for kind in every.values() if is_dataclass(kind)]


def _type_of(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return " | ".join(dict.fromkeys(map(_type_of, arguments)))
    if origin is Literal:
        return " | ".join(map(json.dumps, arguments))
    if origin is tuple and arguments[-1] is Ellipsis:
        inner = _type_of(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type_of, arguments))}]"
    if origin is dict:
        return "Record<string, any>"
    if is_dataclass(hint):
        return name_of(hint)  # type: ignore[arg-type]
    return _NAMES.get(hint, "any")


if __name__ == "__main__":
    TYPES_FILE.write_text(declarations(), encoding="utf-8")
