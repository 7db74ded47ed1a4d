#!/bin/sh
# Opens what etinspect writes for other programs with these programs.
#
#     tests/viewers/run.sh [VENV]        default: build/viewers, which is made and filled if it is not there
#
# Needs the built etinspect. BUILD is its directory.
set -eu

cd "$(dirname "$0")/../.."
venv=${1:-build/viewers}
build=${BUILD:-build}

if ! [ -x "$venv/bin/model-explorer" ]; then
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip --disable-pip-version-check install -q ai-edge-model-explorer
fi
"$venv/bin/python" tests/viewers/graphs_in_model_explorer.py --build "$build"

# Speedscope: only its description of the format is needed.
schema=$venv/package/dist/release/file-format-schema.json
if ! [ -e "$schema" ]; then
    "$venv/bin/python" -m pip --disable-pip-version-check install -q jsonschema
    (cd "$venv" && npm pack --silent speedscope >/dev/null && tar xzf speedscope-*.tgz)
fi
"$venv/bin/python" tests/viewers/stacks_in_viewers.py --build "$build" --schema "$schema"
