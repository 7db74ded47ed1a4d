"""Checks a container image, and unpacks the root file systems in it.

    check_image.py ARCHIVE VERSION OUT

Follows the descriptors of the OCI archive from index.json down, and compares each blob with its size and digest. OUT gets a
folder per processor, such as OUT/amd64. Prints "image: N passed, N failed, 0 skipped".
"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile

counts = {"passed": 0, "failed": 0}


def check(what, found, wanted=True):
    counts["passed" if found == wanted else "failed"] += 1
    if found != wanted:
        print(f"FAILED {what}: expected {wanted}, found {found}")


def main():
    archive = tarfile.open(sys.argv[1])
    version, out = sys.argv[2], pathlib.Path(sys.argv[3])
    used = set()

    def read(name):
        return archive.extractfile(name).read()

    def blob(descriptor, kind):
        name = "blobs/" + descriptor["digest"].replace(":", "/")
        data = read(name)
        used.add(name)
        check(f"{name}: media type", descriptor["mediaType"], f"application/vnd.oci.image.{kind}")
        check(f"{name}: size", len(data), descriptor["size"])
        check(f"{name}: digest", f"sha256:{hashlib.sha256(data).hexdigest()}", descriptor["digest"])
        return data

    check("the layout's version", json.loads(read("oci-layout")), {"imageLayoutVersion": "1.0.0"})
    (top,) = json.loads(read("index.json"))["manifests"]
    check("the name of the image", top["annotations"]["org.opencontainers.image.ref.name"], version)
    images = json.loads(blob(top, "index.v1+json"))["manifests"]
    check("processors", sorted(image["platform"]["architecture"] for image in images), ["amd64", "arm64"])
    for image in images:
        processor = image["platform"]["architecture"]
        manifest = json.loads(blob(image, "manifest.v1+json"))
        config = json.loads(blob(manifest["config"], "config.v1+json"))
        check(f"{processor}: the configuration is of it", (config["os"], config["architecture"]), ("linux", processor))
        check(f"{processor}: what is started", config["config"]["Entrypoint"], ["/usr/bin/etinspect"])
        (layer,) = manifest["layers"]
        files = gzip.decompress(blob(layer, "layer.v1.tar+gzip"))
        check(f"{processor}: digest of the files", config["rootfs"]["diff_ids"], [f"sha256:{hashlib.sha256(files).hexdigest()}"])
        with tarfile.open(fileobj=io.BytesIO(files)) as root:
            check(f"{processor}: all files are root's", {(one.uid, one.gid) for one in root}, {(0, 0)})
            root.extractall(out / processor)
    blobs = {one.name for one in archive if one.isfile() and one.name.startswith("blobs/")}
    check("every blob is used", blobs - used, set())
    print(f"image: {counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    return counts["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
