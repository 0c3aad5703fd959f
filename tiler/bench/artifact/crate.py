"""Describe an artifact as an RO-Crate 1.3: https://w3id.org/ro/crate/1.3. The package rocrate knows the format."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler.version import __version__

if TYPE_CHECKING:
    from rocrate.rocrate import ROCrate

METADATA = "ro-crate-metadata.json"

_VERSION = "1.3"
_LICENSE = "https://spdx.org/licenses/MIT"
_FORMATS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".txt": "text/plain",
    ".whl": "application/zip",
}
_NAMES = {
    "campaign/campaign.toml": "The campaign",
    "campaign/runs.jsonl": "A record for each run",
    "campaign/env.json": "The machine and the versions",
    "campaign/report.html": "The report",
    "manifest.json": "Commands, and the SHA-256 of each file",
}


def describe(folder: Path, title: str, citation: str, runs: Mapping[str, Sequence[Sequence[str]]]) -> bytes:
    """The description of the files in a folder, as JSON-LD. Each figure is the result of an action that names its command."""
    from rocrate.rocrate import ROCrate

    crate = ROCrate(version=_VERSION)
    crate.name = title
    crate.description = (
        f"A campaign of Tiler {__version__}, its records and figures, and what makes them again without a network."
    )
    crate.license = _LICENSE
    crate.root_dataset["author"] = [
        _entity(crate, f"#author-{number}", "Organization", name=name)
        for number, name in enumerate(re.findall(r"^\s*- name: (.+)$", citation, re.MULTILINE), 1)
    ]
    tiler = _entity(
        crate, "#tiler", "SoftwareApplication", name="Tiler", softwareVersion=__version__, citation={"@id": "CITATION.cff"}
    )
    described = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        properties = {
            "name": _NAMES.get(name, name),
            "contentSize": str(path.stat().st_size),
            "encodingFormat": _FORMATS.get(path.suffix, "application/octet-stream"),
        }
        described[name] = crate.add_file(dest_path=name, properties=properties)
    for what, commands in runs.items():
        kind = what.removeprefix("figure ")
        made = [each for name, each in described.items() if re.search(rf"/plots/(.+/)?{re.escape(kind)}(-[^/]*)?\.svg$", name)]
        if what != kind and made:
            words = {"name": what, "description": "; ".join(" ".join(command) for command in commands)}
            action = _entity(crate, f"#{what.replace(' ', '-')}", "CreateAction", **words)
            action["instrument"], action["object"], action["result"] = tiler, described["campaign/runs.jsonl"], made
    return (json.dumps(crate.metadata.generate(), indent=1) + "\n").encode()


def _entity(crate: ROCrate, identifier: str, kind: str, **properties: Any) -> Any:
    from rocrate.model.contextentity import ContextEntity

    return crate.add(ContextEntity(crate, identifier, {"@type": kind, **properties}))
