#!/bin/sh
# release.sh - runs .github/workflows/release.yml as GitHub does (run_workflow.py), on a repository with a tag. Builds nothing, and
# nothing leaves the machine: a replacement of make writes files with the names of a release, and runs only cheap targets;
# replacements of gh and skopeo record their calls; sudo only runs its command, and apt-get does nothing. `make release-check` builds
# the files themselves. Ends in "release: N passed, N failed, N skipped".
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
release=$top/.github/workflows/release.yml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n_passed=0
n_failed=0
# Variables that run() sets and reads.
name='' status='' workflow=$release

expect() {
    if [ "$2" = "$3" ]; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED $1: expected $2, found $3"
    fi
}

# has NAME FILE PATTERN: passes if a line of the file matches.
has() {
    if grep -q -e "$3" "$2"; then expect "$1" there there; else expect "$1" there "nothing like '$3' in ${2##*/}"; fi
}

if ! python3 -c 'import yaml' 2>/dev/null; then
    echo 'skipped: python3-yaml is not installed'
    echo 'release: 0 passed, 0 failed, 1 skipped'
    exit 0
fi

# ---- the repository, and replacements of programs --------------------------------------------------------------------

version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
packaged=$(sed -n '1s/^etinspect (\(.*\)) .*/\1/p' "$top/debian/changelog")
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1
git config --global user.name Tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main
origin=$work/origin
git init -q "$origin"
mkdir -p "$origin/src/include" "$origin/debian"
cp -r "$top/.ci" "$top/mk" "$top/Makefile" "$origin"
cp "$top/src/include/etinspect.h" "$origin/src/include"
cp "$top/debian/changelog" "$origin/debian"
# Removes the unreleased changes, as a release does.
sed '/^## \[Unreleased\]/,/^## \[[0-9]/{/^## \[[0-9]/!d;}' "$top/CHANGELOG.md" >"$origin/CHANGELOG.md"
git -C "$origin" add -A
git -C "$origin" commit -q -m 'A release'

mkdir "$work/bin"
real_make=$(command -v make)
# Writes the files of the targets that build; make runs all other targets.
cat >"$work/bin/make" <<END
#!/bin/sh
set -e
echo "make \$*" >>"$work/calls"
for goal; do
    case \$goal in
    release)
        "$real_make" -s release-names
        mkdir -p build/dist
        cd build/dist
        for processor in x86_64 aarch64; do
            echo \$processor >etinspect-$version-cp310-abi3-manylinux_2_28_\$processor.whl
            echo \$processor >etinspect-$version-\$processor-linux-musl
        done
        echo sdist >etinspect-$version.tar.gz
        echo image >etinspect-$version-image.tar
        echo deb >'etinspect_${packaged}_amd64.deb'
        cd ../..
        "$real_make" -s release-sums
        ;;
    deb) mkdir -p build/deb && echo arm64 >'build/deb/etinspect_${packaged}_arm64.deb' ;;
    release-test) (cd build/dist && sha256sum --check --strict --quiet SHA256SUMS && ls) >"$work/tested" && [ ! -e "$work/spoilt" ] ;;
    *) "$real_make" -s "\$goal" ;;
    esac
done
END
printf '%s\n' '#!/bin/sh' 'exec "$@"' >"$work/bin/sudo"
printf '%s\n' '#!/bin/sh' >"$work/bin/apt-get"
cat >"$work/bin/gh" <<END
#!/bin/sh
case \$TEST_PERMISSIONS in *'"contents": "write"'*) ;; *) exit 1 ;; esac
[ "\$GH_TOKEN" = secret ] || exit 1
printf '<%s>' "\$@" >>"$work/published"
cp build/release-notes.md "$work/notes"
END
cat >"$work/bin/skopeo" <<END
#!/bin/sh
case \$TEST_PERMISSIONS in *'"packages": "write"'*) ;; *) exit 1 ;; esac
if [ "\$1" = login ]; then
    [ "\$(cat)" = secret ]
    exit
fi
for to; do :; done
echo "\$to" >>"$work/images"
echo sha256:0123 >digest
END
chmod +x "$work/bin"/*
export PATH="$work/bin:$PATH"

# run NAME TAG: runs the workflow; sets `status`, and leaves files in $work/NAME.
run() {
    name=$1
    rm -f "$work/published" "$work/images" "$work/tested" "$work/calls"
    python3 - "$origin" "$(git -C "$origin" rev-parse HEAD)" "$2" >"$work/$name.json" <<'END'
import json, sys
clone, sha, tag = sys.argv[1:]
print(json.dumps({"event_name": "push", "ref": f"refs/tags/{tag}", "ref_name": tag, "sha": sha, "clone": clone,
                  "token": "secret", "actor": "tester", "repository": "Some-Owner/etinspect", "event": {}}))
END
    python3 "$here/run_workflow.py" "$workflow" "$work/$name.json" "$work/$name" --pinned >"$work/$name.log" 2>&1
    status=$?
}

# result JOB: prints the result of the job in the last run.
result() {
    sed -n "s/.*\"$1\": \"\\([a-z]*\\)\".*/\\1/p" "$work/$name/jobs.json"
}

# ---- a release -------------------------------------------------------------------------------------------------------

debian=$(printf %s "$packaged" | tr '~' .)
cat >"$work/files" <<END
etinspect-$version-aarch64-linux-musl
etinspect-$version-cp310-abi3-manylinux_2_28_aarch64.whl
etinspect-$version-cp310-abi3-manylinux_2_28_x86_64.whl
etinspect-$version-image.tar
etinspect-$version-x86_64-linux-musl
etinspect-$version.tar.gz
etinspect_${debian}_amd64.deb
etinspect_${debian}_arm64.deb
END
run release "v$version"
expect 'a release' 0 $status
for job in build debian-arm64 test publish pypi container; do expect "the job $job" success "$(result $job)"; done
{ echo SHA256SUMS && cat "$work/files"; } | sort >"$work/wanted"
sort "$work/tested" >"$work/found"
expect 'all files are tested' "$(cat "$work/wanted")" "$(cat "$work/found")"
expect 'on both processors' 2 "$(grep -c '^make release-test' "$work/calls")"
# shellcheck disable=SC2046 # one word per name
expect 'they are published under the tag' "$(printf '<%s>' release create "v$version" --verify-tag --title "etinspect $version" \
    --notes-file build/release-notes.md build/dist/SHA256SUMS $(sed 's,^,build/dist/,' "$work/files"))" "$(cat "$work/published")"
has 'with the notes of this version' "$work/notes" '^### Added'
expect 'and only these' 0 "$(grep -c '^## ' "$work/notes")"
sed -n 's/^[0-9a-f]\{64\}  //p' "$work/$name/attested" | sort >"$work/found"
expect 'all files have provenance' "$(sort "$work/files")" "$(cat "$work/found")"
has 'so does the image' "$work/$name/attested" '^sha256:0123  ghcr.io/some-owner/etinspect$'
expect 'the image has a name without capitals' "docker://ghcr.io/some-owner/etinspect:$version" "$(cat "$work/images")"
expect 'PyPI gets the Python packages, and nothing else' "$(grep -E 'whl$|tar.gz$' "$work/files")" "$(ls "$work/$name/uploaded")"

# ---- runs that must not publish --------------------------------------------------------------------------------------

# withholds NAME: passes if the last run failed and published nothing.
withholds() {
    expect "$1" 1 $status
    expect "$1: nothing is published" none "$(cat "$work/published" "$work/images" 2>/dev/null || echo none)"
    expect "$1: nothing goes to PyPI" none "$([ -e "$work/$name/uploaded" ] && echo files || echo none)"
    expect "$1: nothing has provenance" none "$([ -e "$work/$name/attested" ] && echo files || echo none)"
}
run other v99.0.0
withholds 'the tag of another version'
has 'the message names both' "$work/other.log" "^release: the tag is v99.0.0, and the sources have version $version"
# shellcheck disable=SC2016 # only the workflow could expand them
for hostile in 'v$(touch${IFS}owned)' 'v`touch${IFS}owned`' "v';touch\${IFS}owned;'" 'v";touch${IFS}owned;"' 'v$(shell${IFS}touch${IFS}owned)' '-v;touch${IFS}owned'; do
    rm -rf "$work/hostile"
    run hostile "$hostile"
    withholds "the tag $hostile"
    expect "the tag $hostile is not run" '' "$(find "$work/hostile" -name owned)"
done
: >"$work/spoilt"
run spoilt "v$version"
withholds 'a test that fails'
rm "$work/spoilt"

# refuses NAME SED_SCRIPT MESSAGE: passes if run_workflow.py rejects the workflow that the script changed.
refuses() {
    sed "$2" "$release" >"$work/$1.yml"
    cmp -s "$work/$1.yml" "$release" && expect "$1 changes the workflow" yes no
    workflow=$work/$1.yml
    run "$1" "v$version"
    workflow=$release
    expect "$1 is refused" 2 $status
    has "$1 is named" "$work/$1.log" "$3"
}
refuses unpinned 's/download-artifact@[0-9a-f]* #/download-artifact@v8 #/' 'is not named by the hash of a commit'
refuses unsigned '/attestations: write/d' 'needs the permission attestations: write'
refuses untrusted '/PyPI trusts/d' 'needs the permission id-token: write'
refuses expression-in-script "s/run: make release\$/run: make release TAG=\${{ github.ref_name }}/" 'runs what others write'
refuses needless 's/needs: publish$/needs: publishing/' 'there is no job publishing'
run_ci() {
    python3 - "$origin" "$(git -C "$origin" rev-parse HEAD)" >"$work/ci.json" <<'END'
import json, sys
print(json.dumps({"event_name": "push", "ref": "refs/heads/main", "sha": sys.argv[2], "clone": sys.argv[1], "event": {}}))
END
    python3 "$here/run_workflow.py" "$top/.github/workflows/ci.yml" "$work/ci.json" "$work/ci" --pinned >"$work/ci.log" 2>&1
}
# Replaces the programs that the jobs call by scripts that record their calls.
printf '%s\n' '#!/bin/sh' "echo .ci/run >>$work/calls" >"$origin/.ci/run"
printf '%s\n' '#!/bin/sh' "echo \"make \$*\" >>$work/calls" >"$work/bin/make"
git -C "$origin" commit -q -a -m 'Calls'
rm -f "$work/calls"
run_ci
expect 'ci.yml' 0 $?
expect 'it runs what developers run' '.ci/run make check make macos' "$(tr '\n' ' ' <"$work/calls" | sed 's/ $//')"

echo "release: $n_passed passed, $n_failed failed, 0 skipped"
[ $n_failed = 0 ]
