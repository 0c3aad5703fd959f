"""Check an artifact of Tiler, and make its runs and figures again.

This file is also `__main__.py` in each artifact, so `python3 artifact.zip --smoke` needs Python alone. So it imports nothing but
Python's own modules. contents.py says what an artifact holds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

SCHEMA = "tiler-artifact-1"
MANIFEST = "manifest.json"
WHEELS = "wheels"
AGAIN = "again"  #: the folder of what is made again, within the unpacked artifact
FIGURES = f"{AGAIN}/figures"
PLOTS = "campaign/plots"

_SHARE = 0.9  # of the free disk that an artifact may take
_LONGEST = 300  # letters of what another program said

Say = Callable[[str], None]


class ArtifactError(Exception):
    """One line that says why an artifact cannot be used."""


@dataclass(frozen=True)
class Artifact:
    """An artifact in a folder, all files of which are as its manifest says."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def has_wheels(self) -> bool:
        return any(name.startswith(f"{WHEELS}/") for name in self.manifest["files"])


def reproduce(path: Path, folder: Path, *, full: bool = False, here: bool = False, say: Say = print) -> bool:
    """Check an artifact (a zip, or a folder with what is in one), make its runs and figures again in `folder`, and return whether
    they agree. `full` makes all runs, and otherwise only some short ones are made, the smoke test. `here` uses the Tiler of this
    Python; otherwise an environment is made from the artifact's wheels, without network.

    ArtifactError if the artifact is damaged, or cannot be used here.
    """
    began, folder = time.monotonic(), folder.resolve()
    artifact = opened(path, folder / "artifact")
    say(f"files: {len(artifact.manifest['files'])}, each with its SHA-256")
    python = Path(sys.executable) if here else _installed(artifact, folder / "venv", say)
    kind = "full" if full else "smoke"
    agree = _commands_agree(artifact, kind, python, say) & _figures_agree(artifact, python, say)
    for line in artifact.manifest.get("left_out", ()):
        say(f"not made again: {line}")
    verdict = "reproduced" if agree else "NOT reproduced"
    say(f"{verdict} ({kind}, {time.monotonic() - began:.0f} s); seconds of runs are those of this machine; see {artifact.folder}")
    return agree


def opened(path: Path, into: Path) -> Artifact:
    """The artifact in a zip, unpacked into a folder, or in a folder, as it lies there."""
    if path.is_dir():
        manifest = _manifest(_read(path / MANIFEST), path)
        _compare({name: _digest_of(path / name) for name in manifest["files"]}, manifest, path)
        return Artifact(path.resolve(), manifest)
    try:
        with zipfile.ZipFile(path) as packed:
            return _unpacked(packed, path, into)
    except FileNotFoundError:
        raise ArtifactError(f"{path}: there is no such file") from None
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ArtifactError(f"{path}: no zip, or a damaged one ({error}); fetch it again") from None
    except OSError as error:
        raise ArtifactError(f"{error.filename or path}: {error.strerror or error}") from None
    except Exception as error:
        if type(error).__name__ != "error":  # zlib's, for compressed data that is torn
            raise
        raise ArtifactError(f"{path}: a damaged zip ({error}); fetch it again") from None


def _unpacked(packed: zipfile.ZipFile, path: Path, into: Path) -> Artifact:
    members = {member.filename: member for member in packed.infolist() if not member.is_dir()}
    if MANIFEST not in members:
        raise ArtifactError(f"{path}: no artifact of Tiler: there is no {MANIFEST} in it")
    for member in members.values():
        if not _is_inside(member):
            raise ArtifactError(f"{path}: it would write outside of its folder: {member.filename!a}; nothing was unpacked")
    manifest = _manifest(packed.read(MANIFEST), path)
    missing = sorted(manifest["files"].keys() - members.keys())
    if missing:
        raise ArtifactError(f"{path}: {missing[0]!a} is missing")
    into.mkdir(parents=True, exist_ok=True)
    size, free = sum(members[name].file_size for name in manifest["files"]), shutil.disk_usage(into).free
    if size > _SHARE * free:
        raise ArtifactError(f"{path}: it would take {size >> 20:,} MiB, and {into} has {free >> 20:,} MiB left")
    digests = {}
    for name in (MANIFEST, *manifest["files"]):
        target = into / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(name) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
        digests[name] = _digest_of(target)
    _compare(digests, manifest, path)
    return Artifact(into.resolve(), manifest)


def _is_inside(member: zipfile.ZipInfo) -> bool:
    """Whether a member is an ordinary file that lands below the folder in which the zip is unpacked."""
    name, kind = member.filename, stat.S_IFMT(member.external_attr >> 16)
    return _is_inner(name) and kind in (0, stat.S_IFREG)


def _is_inner(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts and not set("\\:\0") & set(name)


def _manifest(content: bytes, path: Path) -> dict[str, Any]:
    """The manifest, if it has what is needed here."""
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError):
        raise ArtifactError(f"{path}: {MANIFEST} is no JSON") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise ArtifactError(f"{path}: {MANIFEST} is none of {SCHEMA}; a newer Tiler may read it")
    files, commands = manifest.get("files"), manifest.get("commands")
    if not isinstance(files, dict) or not all(_is_inner(name) and isinstance(digest, str) for name, digest in files.items()):
        raise ArtifactError(f"{path}: {MANIFEST} does not list files with their SHA-256")
    if not isinstance(commands, dict) or not all(_is_command(each) for some in commands.values() for each in some or [0]):
        raise ArtifactError(f"{path}: {MANIFEST} does not list commands")
    return manifest


def _is_command(words: Any) -> bool:
    return isinstance(words, list) and words[:1] == ["tiler"] and all(isinstance(word, str) for word in words)


def _compare(digests: Mapping[str, str], manifest: Mapping[str, Any], path: Path) -> None:
    wrong = [name for name, digest in manifest["files"].items() if digests[name] != digest]
    if wrong:
        more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise ArtifactError(f"{path}: {wrong[0]!a}{more} is not what was archived: its SHA-256 differs; fetch the artifact again")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArtifactError(f"{path}: {error.strerror}") from None


def _digest_of(path: Path) -> str:
    return hashlib.sha256(_read(path)).hexdigest()


def platform() -> dict[str, str]:
    """The Python and the machine that wheels are for."""
    return {"python": f"{sys.version_info.major}.{sys.version_info.minor}", "machine": sysconfig.get_platform()}


def _installed(artifact: Artifact, place: Path, say: Say) -> Path:
    """The Python of an environment with the artifact's wheels."""
    if not artifact.has_wheels:
        raise ArtifactError("there are no wheels in it; with --here the runs are made by the Tiler that is installed here")
    wanted, found = artifact.manifest.get("platform"), platform()
    if wanted != found:
        words = ("Python {python} on {machine}".format_map(each) for each in (wanted, found) if isinstance(each, dict))
        raise ArtifactError(
            f"its wheels are for {', and this is '.join(words)}; with --here the Tiler installed here makes the runs"
        )
    python, stamp = place / "bin" / "python", place / "stamp"
    digest = _digest_of(artifact.folder / MANIFEST)
    if stamp.is_file() and stamp.read_text() == digest:
        say(f"environment: {place}, as it was made before")
        return python
    began = time.monotonic()
    shutil.rmtree(place, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(place)], artifact.folder)
    wheels = ["--no-index", "--find-links", str(artifact.folder / WHEELS)]
    _run(
        [str(python), "-m", "pip", "install", "--quiet", "--no-compile", *wheels, *artifact.manifest["requirements"]],
        artifact.folder,
    )
    stamp.write_text(digest)
    say(f"environment: {place}, from the wheels, without network ({time.monotonic() - began:.0f} s)")
    return python


def _run(command: Sequence[str], folder: Path) -> None:
    """Run a program that has nothing to say unless it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=_environment())
    if done.returncode:
        raise ArtifactError(f"{' '.join(command[1:4])} failed: {why_failed(done)}")


def why_failed(done: subprocess.CompletedProcess[str]) -> str:
    """A line of what a program such as pip said about its failure."""
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR" in line] or lines[-1:] or [f"exit status {done.returncode}"]
    return errors[0].strip()[:_LONGEST]


def _environment() -> dict[str, str]:
    """The environment without what would bring in other code."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TILER_", "PIP_"))}


def _commands_agree(artifact: Artifact, kind: str, python: Path, say: Say) -> bool:
    """Whether all commands of a kind end well. The last one of the smoke test, and of the full campaign, compares records."""
    return all(_command_ends_well(artifact, command, python, say) for command in artifact.manifest["commands"].get(kind, ()))


def _command_ends_well(artifact: Artifact, command: Sequence[str], python: Path, say: Say) -> bool:
    say(f"$ {' '.join(command)}")
    here = Path(sys.executable) == python
    done = subprocess.run(
        [str(python), "-m", *command], cwd=artifact.folder, check=False, env=dict(os.environ) if here else _environment()
    )
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode:
        say(f"exit status {done.returncode}")
    return done.returncode == 0


def _figures_agree(artifact: Artifact, python: Path, say: Say) -> bool:
    """Draw the figures again from the records, and compare their data with those in the artifact."""
    if not _commands_agree(artifact, "figures", python, say):
        return False
    archived = [PurePosixPath(name) for name in artifact.manifest["files"] if name.startswith(f"{PLOTS}/")]
    same = {path: _is_same(artifact.folder, path) for path in archived}
    data = [path for path in archived if path.suffix == ".csv"]
    drawn = [path for path in archived if path.suffix == ".svg"]
    others = [path.name for path in data if not same[path]]
    say(
        f"figures: {len(data)} drawn again, {len(data) - len(others)} with the same data, "
        f"{sum(same[path] for path in drawn)} the same to the letter"
    )
    if others:
        say(f"other data: {', '.join(others)}")
    return not others


def _is_same(folder: Path, path: PurePosixPath) -> bool:
    again = folder / FIGURES / path.relative_to(PLOTS)
    return again.is_file() and _digest_of(again) == _digest_of(folder / path)


def main() -> int:
    """The command `python3 artifact.zip`, with the exit status of `tiler reproduce`."""
    own = Path(sys.argv[0])
    parser = argparse.ArgumentParser(prog=f"python3 {own}", description="Check this artifact of Tiler, and make its runs again.")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--smoke", action="store_true", help="make some short runs and the figures again (default)")
    either.add_argument("--full", action="store_true", help="make all runs and the figures again")
    parser.add_argument("--here", action="store_true", help="use the Tiler of this Python, not the wheels in the artifact")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, help="work in this folder (default: %(default)s)")
    parser.set_defaults(output=Path(place_of(own)))
    args = parser.parse_args()
    path = own.parent if own.name == "__main__.py" else own
    try:
        return 0 if reproduce(path, args.output, full=args.full, here=args.here, say=lambda line: print(line, flush=True)) else 1
    except ArtifactError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted; the same command goes on from there", file=sys.stderr)
        return 130


def place_of(path: Path) -> str:
    """The folder to work in if none is named: beside nothing else, in the current folder.

    >>> place_of(Path("down/artifact.zip"))
    'artifact-again'
    """
    return f"{path.resolve().stem if path.name != '__main__.py' else path.resolve().parent.name}-again"


if __name__ == "__main__":
    sys.exit(main())
