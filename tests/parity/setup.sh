#!/bin/sh
# Installs the peer: a virtual environment with the real Inspector (torch 2.13.0, then executorch 1.5.1).
#
#     tests/parity/setup.sh [VENV]        default: build/peer
#
# Quick if it is already installed. On an empty Debian 12 it installs python3-venv first. pip's own settings apply:
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu gets the same torch without gigabytes of CUDA.
set -eu

cd "$(dirname "$0")/../.."
venv=${1:-build/peer}
torch=2.13.0
executorch=1.5.1
duckdb=2.0.0 # reads NDJSON
openvino=2025.4.1 # runs programs that are delegated to it

# Waits for another step of .ci/run that is installing.
command -v flock >/dev/null && exec 9<tests/parity/setup.sh && flock 9

is_installed() {
    [ -x "$venv/bin/python" ] && "$venv/bin/python" - $torch $executorch <<'EOF'
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
try:
    found = [version(package).split("+")[0] for package in ("torch", "executorch")]
except PackageNotFoundError:
    sys.exit(1)
# tabulate measures text with wcwidth if it is installed; the reference is the Inspector without it.
sys.exit(found != sys.argv[1:] or find_spec("wcwidth") is not None or find_spec("scipy") is None)
EOF
}

if is_installed; then
    exit 0
fi

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends python3 python3-venv
fi

# torch exactly, and first: executorch's native libraries are built against this one release.
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
pip="$venv/bin/python -m pip --disable-pip-version-check"
$pip install -q "torch==$torch"
$pip install -q "executorch==$executorch"
$pip install -q "duckdb==$duckdb" || echo "setup.sh: DuckDB cannot be had: what it reads is not compared" >&2
$pip install -q safetensors || echo "setup.sh: safetensors cannot be had: its files are not compared" >&2
# Apart, for backends.py alone: it wants an older numpy.
$pip install -q --no-deps --target "$venv/openvino" "openvino==$openvino" ||
    echo "setup.sh: OpenVINO cannot be had: what it runs is not compared" >&2
$pip install -q scipy # for comparing statistics; executorch needs it anyway
$pip uninstall -q -y wcwidth 2>/dev/null || true

if ! is_installed; then
    echo "setup.sh: $venv does not hold torch $torch, executorch $executorch and scipy; remove it and run again" >&2
    exit 1
fi
