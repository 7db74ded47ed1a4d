#!/bin/sh
# install.sh - makes etinspect available to the steps that follow, unless it is installed: builds it from the source tree
# that this folder lies in.
set -eu

if command -v etinspect >/dev/null; then
    etinspect --version
    exit 0
fi
source=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -f "$source/src/include/etinspect.h" ]; then
    echo "::error::etinspect is not installed, and $source is not its source tree: use the action where it is, or install it"
    exit 2
fi
make -C "$source" build-packages
make -C "$source" -j "$(nproc)" install WERROR= PREFIX="$RUNNER_TEMP/etinspect"
echo "$RUNNER_TEMP/etinspect/bin" >>"$GITHUB_PATH"
