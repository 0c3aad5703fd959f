"""What building a wheel does beside the usual.

A wheel for any platform compiles its search on the user's machine, and needs Numba. Where TILER_LIBRARIES names a folder that
`python -m tiler.kernels.wheel_library` has written, the wheel is for this platform, brings that folder along, and needs neither
Numba nor a compiler.
"""

from __future__ import annotations

import os
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LIBRARIES = os.environ.get("TILER_LIBRARIES", "")


class Dependencies(MetadataHookInterface):
    """The dependencies, with what compiles where that is needed."""

    def update(self, metadata: dict[str, Any]) -> None:
        compiles = [] if LIBRARIES else metadata["optional-dependencies"]["compile"]
        metadata["dependencies"] = [*self.config["dependencies"], *compiles]


class Libraries(BuildHookInterface[Any]):
    """The machine code of the kernels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if LIBRARIES and version == "standard":
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["force_include"][os.path.abspath(LIBRARIES)] = "tiler/kernels/library"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
