#!/bin/sh
# screenshots.sh BUILD PICTURE [--update] - takes pictures of a page of etinspect report, of the profile in doc/tour: in
# BUILD/screenshots the first screen that the README shows, and the whole page at 1400 and 390 pixels, light and dark.
# Fails if PICTURE does not show what this program draws: the text beside it, PICTURE with the suffix .txt, has the SHA-256
# of PICTURE and the texts on its first screen. With --update it writes both. Fonts and lines may differ between versions of
# Chromium, so bytes of pictures are not compared.
set -eu
export LC_ALL=C.UTF-8

build=$(cd "$1" && pwd)
wanted=$2
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/screenshots
work=$(mktemp -d)
mkdir -p "$out"

# shellcheck source=tests/browser/driver.sh
. "$top/tests/browser/driver.sh"
trap finish EXIT
trap 'exit 1' HUP INT TERM

begin_session
open_readme_page
painted
picture readme
first_screen >"$out/readme.txt"
for width in 1400 390; do
    for theme in light dark; do
        view $width 900
        open_page "$work/readme.html"
        [ $theme = light ] || run 'toggleTheme(); return ""' >/dev/null
        height=$(run 'return document.documentElement.scrollHeight')
        view $width "$height"
        painted
        picture $theme-$width
    done
done
ls -l "$out"

if [ "${3-}" = --update ]; then
    cp "$out/readme.png" "$wanted"
    describe_picture "$wanted" "$out/readme.txt" >"${wanted%.png}.txt"
    echo "wrote $wanted and ${wanted%.png}.txt"
    exit 0
fi
describe_picture "$wanted" "$out/readme.txt" >"$work/described.txt"
if ! diff "${wanted%.png}.txt" "$work/described.txt"; then
    echo "screenshots: $wanted does not show what this program draws: look at $out/readme.png, then run make screenshots UPDATE=1"
    exit 1
fi
