"""Writes an SPDX 2.3 document in JSON that describes the contents of a release's artefacts.

    sbom.py OUT ARTEFACT...         programs, shared libraries and wheels

Libraries compiled into an artefact are listed in sources.txt beside this file, and those that it loads in the artefact
itself. The document depends on nothing else, except for SOURCE_DATE_EPOCH, which is the time of the last commit if it is
not set.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

TOP = pathlib.Path(__file__).resolve().parents[1]

# For the libraries of sources.txt: the licence of the compiled files, the name of the shared library, and the name used by
# vulnerability databases, if any.
LIBRARIES = {
    "libcsv": ("LGPL-2.1-or-later", "libcsv.so", None),
    "libmd": ("BSD-3-Clause", "libmd.so", None),
    "zlib": ("Zlib", "libz.so", "cpe:2.3:a:zlib:zlib"),
}
SQLITE = "libsqlite3.so.0"  # opened when a database is requested


def give_up(text):
    sys.exit(f"sbom.py: {text}")


def version():
    return re.search(r"^VERSION := (\S+)", (TOP / "Makefile").read_text(), re.MULTILINE)[1]


def sources():
    """Lists (name, version, url, SHA-256) of sources.txt."""
    lines = (TOP / ".ci/sources.txt").read_text().splitlines()
    found = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    for fields in found:
        if len(fields) != 4 or fields[0] not in LIBRARIES:
            give_up(f"sources.txt: {fields[0]} has no licence and no shared name in LIBRARIES of sbom.py, or the line has not 4 fields")
    return found


def created():
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        seconds = subprocess.run(["git", "-C", TOP, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=True).stdout
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


# ---- artefacts -----------------------------------------------------------------------------------


def elf_files(path):
    """Yields the contents of the ELF files in an artefact."""
    data = path.read_bytes()
    if data.startswith(b"\x7fELF"):
        yield data
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                member = archive.read(name)
                if member.startswith(b"\x7fELF"):
                    yield member


def needed_by(data):
    """Lists the shared libraries that an ELF file names, and says whether it is for a dynamic loader at all."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        read = subprocess.run(["readelf", "--wide", "--dynamic", file.name], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", read), "(NEEDED)" in read


def examine(path):
    """Returns the shared libraries that an artefact needs, what it may open, and whether part of it is static."""
    needed, opened, is_static, is_ours = set(), set(), False, False
    for data in elf_files(path):
        names, is_dynamic = needed_by(data)
        needed.update(names)
        opened.update([SQLITE] if SQLITE.encode() in data else [])
        is_static = is_static or not is_dynamic
        is_ours = True
    if not is_ours:
        give_up(f"{path}: expected a program, a shared library or a wheel")
    return sorted(needed), sorted(opened), is_static


# ---- the document --------------------------------------------------------------------------------


def id_of(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(kind, name, **fields):
    return {"SPDXID": id_of(kind, name), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", **fields}


def library_package(name, number, url, sha256):
    licence, _, known_as = LIBRARIES[name]
    references = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:generic/{name}@{number}"}]
    if known_as:
        references.append({"referenceCategory": "SECURITY", "referenceType": "cpe23Type", "referenceLocator": f"{known_as}:{number}:*:*:*:*:*:*:*"})
    return package("Library", name, versionInfo=number, downloadLocation=url, licenseConcluded=licence, licenseDeclared=licence,
                   primaryPackagePurpose="LIBRARY", checksums=[{"algorithm": "SHA256", "checksumValue": sha256}],
                   externalRefs=references)


def musl_package():
    """Returns the libc of static programs, which is the compiler's."""
    script = TOP / ".ci/zig.sh"
    found = re.search(r"^zig_version=(\S+)", script.read_text(), re.MULTILINE) if script.exists() else None
    return package("Library", "musl", licenseConcluded="MIT", licenseDeclared="MIT", primaryPackagePurpose="LIBRARY",
                   comment=f"That of zig {found[1]}." if found else "That of the compiler.")


def artefact_package(path, number):
    return package("Artefact", path.name, versionInfo=number, packageFileName=path.name, primaryPackagePurpose="APPLICATION",
                   licenseConcluded="BSD-3-Clause", licenseDeclared="BSD-3-Clause", copyrightText="Copyright (c) 2026 the etinspect authors",
                   checksums=[{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}])


def document(paths):
    number = version()
    packages, relationships = {}, []

    def relate(of, kind, to):
        relationships.append({"spdxElementId": of, "relationshipType": kind, "relatedSpdxElement": to})

    def add(made):
        packages.setdefault(made["SPDXID"], made)
        return made["SPDXID"]

    for path in paths:
        needed, opened, is_static = examine(path)
        artefact = add(artefact_package(path, number))
        relate("SPDXRef-DOCUMENT", "DESCRIBES", artefact)
        for source in sources():
            if not any(name.startswith(LIBRARIES[source[0]][1]) for name in needed):
                relate(artefact, "STATIC_LINK", add(library_package(*source)))
        if is_static:
            relate(artefact, "STATIC_LINK", add(musl_package()))
        for name in needed:
            relate(artefact, "DYNAMIC_LINK", add(package("Shared", name, primaryPackagePurpose="LIBRARY", comment="The system's.")))
        for name in opened:
            relate(add(package("Shared", name, primaryPackagePurpose="LIBRARY", comment="The system's, opened when a database is written.")),
                   "OPTIONAL_DEPENDENCY_OF", artefact)
    content = {"packages": list(packages.values()), "relationships": relationships}
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"etinspect-{number}",
            "documentNamespace": f"https://spdx.org/spdxdocs/etinspect-{number}-{digest}",
            "creationInfo": {"created": created(), "creators": ["Organization: etinspect authors", f"Tool: sbom.py-{number}"]}, **content}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    written = json.dumps(document([pathlib.Path(path) for path in sys.argv[2:]]), indent=1) + "\n"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(written)


if __name__ == "__main__":
    main()
