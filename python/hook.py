"""Builds the extension and the program with make, when hatchling makes a wheel of this folder.

The folder is python/ of a checkout, or the top of a source distribution, which has the checkout in it. BUILD in the environment
names the folder of make's results, MAKEFLAGS what else make is to be told, and PLATFORM the platform of the wheel.
"""

import os
import pathlib
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            raise ValueError("an editable install has no place for the extension: use make python-module, and PYTHONPATH=build/python")
        here = pathlib.Path(self.root)
        top = here if (here / "Makefile").exists() else here.parent
        build = pathlib.Path(os.environ.get("BUILD") or top / "build").absolute()
        extension = build / "python/etinspect/_etinspect.abi3.so"
        subprocess.run(["make", "-C", top, f"BUILD={build}", "python-module", build / "etinspect"], check=True)
        platform = os.environ.get("PLATFORM") or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
        build_data["pure_python"] = False
        build_data["force_include"][str(extension)] = "etinspect/_etinspect.abi3.so"
        build_data["shared_scripts"][str(build / "etinspect")] = "etinspect"
