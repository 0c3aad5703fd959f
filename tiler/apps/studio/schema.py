"""Write the JSON Schema of the messages, and their types for the page. Run as a program it writes both files."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from tiler.apps.studio import campaign_messages, catalogue_messages, messages, race_messages
from tiler.apps.studio.message_json import hints, name_of

FOLDER = Path(__file__).parent
SCHEMA_FILE, TYPES_FILE = FOLDER / "messages.schema.json", FOLDER / "page" / "messages.d.ts"

#: The modules that define messages.
_MODULES = (catalogue_messages, messages, campaign_messages, race_messages)
_REQUESTS = (*messages.REQUESTS, *campaign_messages.REQUESTS, *race_messages.REQUESTS)

_NAMES: dict[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


def schema() -> str:
    """The JSON Schema of all messages."""
    definitions = {name_of(kind): _object(kind) for kind in _kinds()}
    unions = {name: _schema_of(union) for name, union in messages.UNIONS.items()}
    content = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages between the studio's page and its engine",
        "$defs": {**definitions, **unions},
    }
    return json.dumps(content, indent=1) + "\n"


def declarations() -> str:
    """The types of all messages, in TypeScript."""
    lines = ["// Written by tiler/apps/studio/schema.py from tiler/apps/studio/messages.py: do not edit.", ""]
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


def _object(kind: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": {name: _schema_of(hint) for name, hint in hints(kind).items()},
        "required": [field.name for field in fields(kind) if field.default is MISSING],
        "additionalProperties": False,
    }


def _schema_of(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return {"anyOf": list(map(_schema_of, arguments))}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": _schema_of(arguments[0])}
    if origin is tuple:
        sizes = {"minItems": len(arguments), "maxItems": len(arguments)}
        return {"type": "array", "prefixItems": list(map(_schema_of, arguments)), **sizes}
    if origin is dict:
        return {"type": "object"}
    if is_dataclass(hint):
        return {"$ref": f"#/$defs/{name_of(hint)}"}  # type: ignore[arg-type]
    return {"type": _NAMES[hint]} if hint in _NAMES else {}


def _type_of(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return " | ".join(_distinct(map(_type_of, arguments)))
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
    return {"integer": "number"}.get(_NAMES[hint], _NAMES[hint]) if hint in _NAMES else "any"


def _distinct(words: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(words))


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema(), encoding="utf-8")
    TYPES_FILE.write_text(declarations(), encoding="utf-8")
