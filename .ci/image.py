"""Writes a container image of static programs, without a daemon.

    image.py OUT VERSION PROGRAM...

OUT is an OCI archive: a tar of an OCI image layout, which podman, docker, skopeo and containerd load. Each PROGRAM is
.../etinspect-VERSION-PROCESSOR-linux-musl with its licences beside it (.licences.txt), and becomes the image of that
processor. Its only layer contains the program, the licences, and an empty /tmp. The same programs give the same bytes: all files
have the time SOURCE_DATE_EPOCH or, if it is not set, the time of the last commit.
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile

TOP = pathlib.Path(__file__).resolve().parents[1]
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}  # as container tools name them
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def time_of_release():
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        seconds = subprocess.run(["git", "-C", TOP, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=True).stdout
    return int(seconds)


def add(archive, name, mode, seconds, data=None):
    """Adds a file that belongs to root, or a folder if `data` is None."""
    member = tarfile.TarInfo(name)
    member.mode, member.mtime = mode, seconds
    if data is None:
        member.type = tarfile.DIRTYPE
        archive.addfile(member)
    else:
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))


def root_file_system(program, seconds):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder in ("usr", "usr/bin", "usr/share", "usr/share/doc", "usr/share/doc/etinspect"):
            add(archive, folder, 0o755, seconds)
        add(archive, "tmp", 0o1777, seconds)
        add(archive, "usr/bin/etinspect", 0o755, seconds, program.read_bytes())
        add(archive, "usr/share/doc/etinspect/licences.txt", 0o644, seconds, pathlib.Path(f"{program}.licences.txt").read_bytes())
    return made.getvalue()


class Layout:
    """The blobs of an image, by their digests."""

    def __init__(self):
        self.blobs = {}

    def add(self, kind, data):
        """Adds a blob, or the JSON of an object. Returns its descriptor."""
        if not isinstance(data, bytes):
            data = json.dumps(data, sort_keys=True).encode()
        digest = hashlib.sha256(data).hexdigest()
        self.blobs[digest] = data
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}


def add_image(layout, program, version, seconds):
    """Adds the image of one processor. Returns its descriptor."""
    match = re.fullmatch(rf"etinspect-{re.escape(version)}-(\w+)-linux-musl", program.name)
    if not match or match[1] not in ARCHITECTURES:
        sys.exit(f"image.py: {program}: expected the static program etinspect-{version}-PROCESSOR-linux-musl, PROCESSOR one of {', '.join(ARCHITECTURES)}")
    platform = {"architecture": ARCHITECTURES[match[1]], "os": "linux"}
    files = root_file_system(program, seconds)
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = layout.add(CONFIG, {
        **platform,
        "created": created,
        "config": {"Entrypoint": ["/usr/bin/etinspect"], "Env": ["PATH=/usr/bin"],
                   "Labels": {"org.opencontainers.image.title": "etinspect", "org.opencontainers.image.version": version,
                              "org.opencontainers.image.licenses": "BSD-3-Clause"}},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(files).hexdigest()}"]},
        "history": [{"created": created, "created_by": "image.py"}],
    })
    layer = layout.add(LAYER, gzip.compress(files, mtime=0))
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]}
    return {**layout.add(MANIFEST, manifest), "platform": platform}


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    out, version, *programs = sys.argv[1:]
    seconds = time_of_release()
    layout = Layout()
    # Tools take the first entry of the layout if the user names none, so the only entry is the index of all processors.
    images = [add_image(layout, pathlib.Path(program), version, seconds) for program in programs]
    index = layout.add(INDEX, {"schemaVersion": 2, "mediaType": INDEX, "manifests": images})
    top = {"schemaVersion": 2, "mediaType": INDEX,
           "manifests": [{**index, "annotations": {"org.opencontainers.image.ref.name": version}}]}
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(f"{out}.new", mode="w", format=tarfile.USTAR_FORMAT) as archive:
        add(archive, "oci-layout", 0o644, seconds, b'{"imageLayoutVersion": "1.0.0"}')
        add(archive, "index.json", 0o644, seconds, json.dumps(top, sort_keys=True).encode())
        for folder in ("blobs", "blobs/sha256"):
            add(archive, folder, 0o755, seconds)
        for digest in sorted(layout.blobs):
            add(archive, f"blobs/sha256/{digest}", 0o644, seconds, layout.blobs[digest])
    os.replace(f"{out}.new", out)


if __name__ == "__main__":
    main()
