#!/bin/sh
# screenshots.sh BUILD PICTURE - takes pictures of a page of etinspect report: the one of the README as PICTURE, and in
# BUILD/screenshots the whole page at 1400 and 390 pixels, light and dark. The page is of MobileNetV3, quantized and run by XNNPACK;
# the peer (make parity installs it into BUILD/peer) exports and runs it if necessary.
set -eu
export LC_ALL=C.UTF-8

build=$(cd "$1" && pwd)
wanted=$2
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/screenshots
work=$(mktemp -d)
model=$build/delegates/mobilenet_v3_int8
mkdir -p "$out"

# shellcheck source=tests/browser/driver.sh
. "$top/tests/browser/driver.sh"
trap finish EXIT
trap 'exit 1' HUP INT TERM

if [ ! -f "$model/run.etdp" ]; then
    [ -x "$build/peer/bin/python" ] || sh "$top/tests/parity/setup.sh" "$build/peer"
    "$build/peer/bin/python" "$top/tests/parity/delegate_export.py" "$build/delegates" --only mobilenet_v3_int8
fi
"$build/etinspect" report "$model/run.etdp" "$model/model.etrecord" "$model/model.pte" --title 'MobileNetV3, int8, on XNNPACK' --no_paths \
    -o "$work/page.html"

begin_session
view 1400 1012
open_page "$work/page.html"
sleep 0.5
picture readme
cp "$out/readme.png" "$wanted"
for width in 1400 390; do
    for theme in light dark; do
        view $width 900
        open_page "$work/page.html"
        [ $theme = light ] || run 'toggleTheme(); return ""' >/dev/null
        height=$(run 'return document.documentElement.scrollHeight')
        view $width "$height"
        sleep 1
        picture $theme-$width
    done
done
ls -l "$wanted" "$out"
