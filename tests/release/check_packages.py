"""Checks the Python packages of a release as an index does, without uploading them.

    check_packages.py DIST VERSION

Prints a line "FAILED ..." for each fault, and "packages: N passed, N failed, 0 skipped". twine and auditwheel must be
installed: the first reads metadata as PyPI does, the second the symbols that the files need.
"""

import email.parser
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

from packaging.specifiers import SpecifierSet
from packaging.utils import parse_sdist_filename, parse_wheel_filename

# PyPI's own rule: it refuses uploads for other platforms of Linux, such as linux_x86_64.
PLATFORM = re.compile(r"(any|win32|win_(amd64|arm64|ia64)|manylinux(1|2010|2014)_\w+|(many|musl)linux_\d+_\d+_(x86_64|i686|aarch64|armv7l|"
                      r"ppc64|ppc64le|s390x|riscv64)|macosx_\d+_\d+_\w+|(ios|android)_\w+)")
GLIBC = (2, 28)  # of the oldest systems for which wheels are made
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
counts = {"passed": 0, "failed": 0}


def check(what, found, wanted=True):
    counts["passed" if found == wanted else "failed"] += 1
    if found != wanted:
        print(f"FAILED {what}: expected {wanted}, found {found}")


def succeeds(what, *command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check(what, done.returncode == 0 or done.stdout)
    return done.stdout


def check_metadata(name, text, version):
    metadata = email.parser.Parser().parsestr(text)
    check(f"{name}: version", metadata["Version"], version)
    accepted = SpecifierSet(metadata["Requires-Python"])
    check(f"{name}: Pythons", [python for python in PYTHONS if f"{python}.0" in accepted], list(PYTHONS))
    check(f"{name}: no dependency is required", [one for one in metadata.get_all("Requires-Dist", []) if "extra ==" not in one], [])


def check_wheel(path, version):
    project, number, _, tags = parse_wheel_filename(path.name)
    check(f"{path.name}: project and version", (project, str(number)), ("etinspect", version))
    check(f"{path.name}: it has one tag for CPython 3.10 and later", {(tag.interpreter, tag.abi) for tag in tags}, {("cp310", "abi3")})
    platforms = {tag.platform for tag in tags}
    check(f"{path.name}: PyPI accepts the platform", all(PLATFORM.fullmatch(platform) for platform in platforms))
    check(f"{path.name}: it is for glibc {GLIBC}", all(tuple(map(int, re.findall(r"_(\d+)_(\d+)_", platform)[0])) <= GLIBC for platform in platforms))
    shown = succeeds(f"{path.name}: auditwheel reads it", sys.executable, "-m", "auditwheel", "show", str(path))
    needed = [tuple(map(int, pair)) for pair in re.findall(r"GLIBC_(\d+)\.(\d+)", shown)]
    check(f"{path.name}: it needs no newer glibc", bool(needed) and max(needed) <= GLIBC)
    check(f"{path.name}: it is smaller than 3 MB", path.stat().st_size < 3_000_000)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        info = f"etinspect-{version}.dist-info"
        check_metadata(path.name, archive.read(f"{info}/METADATA").decode(), version)
        (program,) = [one for one in archive.infolist() if one.filename == f"etinspect-{version}.data/scripts/etinspect"]
        check(f"{path.name}: the program may be run", bool(program.external_attr >> 16 & 0o111))
        check(f"{path.name}: the extension and the types are in it", {"etinspect/_etinspect.abi3.so", "etinspect/py.typed"} <= set(names))
        check(f"{path.name}: so are the licences", b"==== zlib" in archive.read(f"{info}/licenses/licences.txt"))
    return platforms


def check_sdist(path, version):
    check(f"{path.name}: project and version", [str(part) for part in parse_sdist_filename(path.name)], ["etinspect", version])
    with tarfile.open(path) as archive:
        top = f"etinspect-{version}"
        check_metadata(path.name, archive.extractfile(f"{top}/PKG-INFO").read().decode(), version)
        check(f"{path.name}: all is in one folder", {name.split("/")[0] for name in archive.getnames()}, {top})


def main():
    dist, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    wheels, sdists = sorted(dist.glob("*.whl")), sorted(dist.glob("etinspect-*.tar.gz"))
    platforms = set().union(*(check_wheel(path, version) for path in wheels))
    check("wheels of both processors", {platform.split("_", 3)[3] for platform in platforms}, {"x86_64", "aarch64"})
    check("one source distribution", len(sdists), 1)
    for path in sdists:
        check_sdist(path, version)
    succeeds("twine finds nothing", sys.executable, "-m", "twine", "check", "--strict", *map(str, wheels + sdists))
    # The rule must refuse the tag of a wheel of this system alone.
    check("linux_x86_64 is refused", PLATFORM.fullmatch("linux_x86_64"), None)
    print(f"packages: {counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    return counts["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
