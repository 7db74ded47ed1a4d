#!/bin/sh
# sbom.sh BUILD [FILE...] - validates SBOMs with the SPDX group's own tools (installed into BUILD/sbom-venv), and compares
# the output of .ci/sbom.py for the program in BUILD with that of readelf and the loader. Ends with "sbom: N passed, N
# failed, N skipped".
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
build=$(cd "$1" && pwd)
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0

# check NAME COMMAND...: passes if the command succeeds; otherwise shows its output.
check() {
    name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $name"
        sed 's/^/    /' "$work/output"
    fi
}

venv=$build/sbom-venv
[ -x "$venv/bin/pyspdxtools" ] || { python3 -m venv "$venv" && "$venv/bin/pip" --disable-pip-version-check install -q spdx-tools; } || exit 1

# related KIND: prints the names that have a relationship of this kind in program.json, without the kind of package.
related() {
    python3 - "$work/program.json" "$1" <<'END' | sort
import json, sys
for one in json.load(open(sys.argv[1]))["relationships"]:
    if one["relationshipType"] == sys.argv[2]:
        print(one["relatedSpdxElement"].split("-", 2)[2])
END
}

write() {
    SOURCE_DATE_EPOCH=1700000000 python3 "$top/.ci/sbom.py" "$@"
}

for file; do
    check "$file is valid" "$venv/bin/pyspdxtools" -i "$file"
done
check 'an SBOM of the program is written' write "$work/program.json" "$build/etinspect"
check 'it is valid' "$venv/bin/pyspdxtools" -i "$work/program.json"
related DYNAMIC_LINK >"$work/found"
readelf -dW "$build/etinspect" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort >"$work/wanted"
check 'it names the shared libraries that the program needs' diff "$work/wanted" "$work/found"
related STATIC_LINK >"$work/found"
grep -v '^#' "$top/.ci/sources.txt" | while read -r name _; do
    case $name in zlib) shared=libz ;; *) shared=$name ;; esac
    grep -q "^$shared\.so" "$work/wanted" || echo "$name"
done | sort >"$work/static"
check 'it names the libraries that are in the program' diff "$work/static" "$work/found"
check 'the time is that of SOURCE_DATE_EPOCH' grep -q '"created": "2023-11-14T22:13:20Z"' "$work/program.json"
check 'it is written again' write "$work/again.json" "$build/etinspect"
check 'and has the same bytes' cmp "$work/program.json" "$work/again.json"

sum=$(sha256sum "$build/etinspect" | cut -d ' ' -f 1)
check 'it has the SHA-256 of the program' grep -q "\"checksumValue\": \"$sum\"" "$work/program.json"
(cd "$work" && python3 -m zipfile -c etinspect-0-py3-none-any.whl "$build/etinspect")
check 'of a wheel, too' write "$work/wheel.json" "$work/etinspect-0-py3-none-any.whl" "$build/etinspect"
check 'that is valid' "$venv/bin/pyspdxtools" -i "$work/wheel.json"
if echo 'int main(void) { return 0; }' | ${CC:-cc} -static -x c - -o "$work/static-program" 2>/dev/null; then
    check 'of a static program' write "$work/static.json" "$work/static-program"
    cp "$work/static.json" "$work/program.json"
    related STATIC_LINK >"$work/found"
    { grep -v '^#' "$top/.ci/sources.txt" | cut -d ' ' -f 1; echo musl; } | sort >"$work/static"
    check 'libc and all libraries are in it' diff "$work/static" "$work/found"
    check 'that one is valid' "$venv/bin/pyspdxtools" -i "$work/static.json"
fi
check 'another file is refused' sh -c "! python3 '$top/.ci/sbom.py' '$work/none.json' '$top/Makefile' && [ ! -e '$work/none.json' ]"
mkdir -p "$work/copy/.ci"
cp "$top/.ci/sbom.py" "$work/copy/.ci"
cp "$top/Makefile" "$work/copy"
echo "libnew 1.0 https://example.org/libnew.tar.gz $sum" | cat "$top/.ci/sources.txt" - >"$work/copy/.ci/sources.txt"
check 'a library without a licence is refused' \
    sh -c "! python3 '$work/copy/.ci/sbom.py' '$work/none.json' '$build/etinspect' 2>'$work/message' && grep -q 'libnew has no licence' '$work/message'"
# The tools must detect errors.
sed 's/"SPDX-2.3"/"SPDX-9"/; s/"STATIC_LINK"/"GLUED_TO"/' "$work/wheel.json" >"$work/wrong.json"
check 'a document that is not valid is found' sh -c "! '$venv/bin/pyspdxtools' -i '$work/wrong.json'"

echo "sbom: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
