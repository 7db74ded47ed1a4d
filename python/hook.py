"""Builds the extension and the program with make, when hatchling makes a wheel of this folder.

The folder is python/ of a checkout, or the top of a source distribution, which has make's files beside it. In the
environment, BUILD names the folder for make's results, MAKEFLAGS has make's other options, PLATFORM is the platform of the
wheel, and TARGET, such as x86_64-linux-gnu.2.28, makes zig build for that system.
"""

import os
import pathlib
import re
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EXTENSION = "python/etinspect/_etinspect.abi3.so"


def platform_of(target):
    """Returns pip's tag for systems with that C library or a newer one."""
    match = re.fullmatch(r"(\w+)-linux-gnu\.(\d+)\.(\d+)", target)
    if not match:
        raise ValueError(f"a wheel is made for a TARGET like x86_64-linux-gnu.2.28, and not {target!r}")
    processor, major, minor = match.groups()
    return f"manylinux_{major}_{minor}_{processor}"


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            raise ValueError("an editable install has no place for the extension: use make python-module, and PYTHONPATH=build/python")
        here = pathlib.Path(self.root)
        top = here if (here / "Makefile").exists() else here.parent
        build = pathlib.Path(os.environ.get("BUILD") or top / "build").absolute()
        target = os.environ.get("TARGET")
        if target:
            platform = platform_of(target)
            subprocess.run([top / ".ci/zig.sh", target, "@" + EXTENSION, "@etinspect"], env=os.environ | {"BUILD": str(build)}, check=True)
            build = build / "zig" / target
            licences = build / "libraries/licences.txt"
        else:
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            subprocess.run(["make", "-C", top, f"BUILD={build}", build / EXTENSION, build / "etinspect"], check=True)
            licences = top / "LICENSE"
        build_data["tag"] = f"cp310-abi3-{os.environ.get('PLATFORM') or platform}"
        build_data["pure_python"] = False
        build_data["force_include"][str(build / EXTENSION)] = "etinspect/_etinspect.abi3.so"
        build_data["force_include"][str(top / "examples/aot_intermediates.py")] = "etinspect/aot_intermediates.py"
        build_data["shared_scripts"][str(build / "etinspect")] = "etinspect"
        build_data["force_include"][str(licences)] = f"etinspect-{self.metadata.version}.dist-info/licenses/{licences.name}"
