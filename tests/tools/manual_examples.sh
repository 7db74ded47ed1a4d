#!/bin/sh
# manual_examples.sh [--update] BUILD [PAGE...] - checks that the examples in the manual's pages print what the pages show.
#
# The examples of a page run in order in one shell, in a folder with the files below, as on a terminal of 72 columns without
# colour and UTF-8. manual_examples.awk defines examples; --update writes their output into the pages.
set -u
export LC_ALL=C

update=
if [ "${1-}" = --update ]; then
    update=1
    shift
fi
if [ $# = 0 ] || [ ! -d "$1" ]; then
    echo "usage: $0 [--update] BUILD [PAGE...]" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
examples=$top/tests/tools/manual_examples.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset POSIXLY_CORRECT NO_COLOR CLICOLOR_FORCE COLUMNS GITHUB_STEP_SUMMARY
export CI=true
umask 022

n_passed=0
n_failed=0
n_skipped=0

pass() {
    n_passed=$((n_passed + 1))
}

fail() {
    n_failed=$((n_failed + 1))
    echo "FAILED $1"
}

mkdir "$work/bin"
cat >"$work/bin/etinspect" <<WRAPPER
#!/bin/sh
exec ${RUNNER-} "$build/etinspect" --width 72 "\$@"
WRAPPER
# Copies the events of act-as-model with descriptive names.
cat >"$work/bin/make-etdump" <<WRAPPER
#!/bin/sh
sed 's/_op_0/_add/g; s/_op_1/_relu/g; s/_op_2/_gelu/g; s/_op_3/_softmax/g; s/_op_4/_bmm/g; s/_op_5/_layer_norm/g; s/_op_6/_addmm/g; s/_op_7/_convolution/g' |
    exec "$top/tests/cli/bin/make-etdump" "\$@"
WRAPPER
chmod +x "$work/bin/etinspect" "$work/bin/make-etdump"
ln -s "$build/make_journal" "$work/bin/make-journal"
export PATH="$work/bin:$top/tests/cli/bin:$PATH" SCHEMA="$top/schema"

# Makes the files that the pages use, identically each time.
make_files() {
    mkdir "$work/files"
    cd "$work/files" || exit 1
    for pair in transformer: xnnpack-conv:conv mlp:mlp external-weights:large prefill-decode:llm bundled-inputs:bundled \
        allocation-events:tracked multi-method:two delegate-ids:ids backends/vulkan_cnn:gpu backends/nxp_cnn:npu; do
        from=$top/testdata/${pair%%:*}
        to=${pair#*:}
        cp "$from/run.etdp" "${to:-run}.etdp"
        [ -f "$from/record.etrecord" ] && cp "$from/record.etrecord" "${to:-model}.etrecord"
        [ -f "$from/model.etrecord" ] && cp "$from/model.etrecord" "$to.etrecord"
        [ -f "$from/model.pte" ] && cp "$from/model.pte" "${to:-model}.pte"
        [ -f "$from/debug_buffer.bin" ] && cp "$from/debug_buffer.bin" "${to:-debug}.bin"
    done
    cp "$top/testdata/bundled-inputs/bundle.bpte" bundled.bpte
    cp "$top/testdata/external-weights/model.ptd" large.ptd
    cp "$top/testdata/xnnpack-conv/inline.pte" conv-inline.pte
    history 8 | baseline base.csv
    SEED=2 history 8 conv 1.25 0 | baseline new.csv
    SEED=3 history 8 | baseline same.csv
    history 3 | baseline few.csv
    history 24 softmax 1.2 14 | baseline history.csv
    awk '/^file,/ { $0 = $0 ",commit=77b" substr("0123456789abcdefghijklmnop", ++n, 1) } 1' history.csv >commits.csv
    printf '%s\n' pattern,reason,expires,commit '*softmax*,exact exponentials are wanted,,77be' >known.csv
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec act-as-model "$1"\n' >old-runner
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec act-as-model "$1" 3=1.3\n' >new-runner
    chmod +x old-runner new-runner
    mkdir night
    for process in 1 2 3 4 5; do
        ./old-runner "night/run-$process.etdp"
    done
    for folder in device=pixel8/build=1233 device=pixel8/build=1234 device=s24/build=1234; do
        mkdir -p "profiles/$folder"
        ./old-runner "profiles/$folder/1.etdp"
    done
    head -c 200 night/run-1.etdp >profiles/device=s24/build=1234/2.etdp
    make-tensors in.npz x=f4:2x8
    make-tensors wrong.npz x=f4:2x9
    make-tensors rounded.npz 2:layer_norm#0=f4:2x16:-1.46,-1.68,0.91,-0.97,0.57,0.33,0.43,-1.26,0.71,1.91,1.33,-0.27,-0.18,-0.95,0.30,0.27,-0.73,-1.03,1.49,0.33,0.89,-0.07,0.13,-1.25,-1.21,1.07,0.51,-1.39,-0.28,-1.10,1.13,1.53 \
        4:linear_1#0=f4:2x4:-0.42,0.66,-0.37,-0.16,-0.59,0.95,-0.34,0.01
    make-journal runs run.journal
}

# run_page PAGE
run_page() {
    name=man/${1##*/}
    taken=$work/taken
    rm -rf "$taken" "$work/room"
    mkdir "$taken"
    cp -R "$work/files" "$work/room"
    if awk -v mode=take -v out="$taken" -f "$examples" "$1" >"$work/complaints"; then pass; else
        fail "$name: examples that are not run"
        sed "s|^.*/man/|    man/|" "$work/complaints"
    fi
    (cd "$work/room" && timeout 1200 sh -u "$taken/script") >"$work/script.out" 2>&1 </dev/null
    [ -s "$work/script.out" ] && sed 's/^/    /' "$work/script.out"
    while read -r number line command; do
        tr -d '\r' <"$taken/$number.found" | sed 's/ *$//' >"$work/found"
        if awk -v mode=compare -f "$examples" "$taken/$number.want" "$work/found"; then
            echo fits >"$taken/$number.fits"
            pass
        elif [ -z "$update" ]; then
            fail "$name:$line: $command"
            diff -u "$taken/$number.want" "$work/found" | sed '1,2d; s/^/    /' | head -n 40
        fi
    done <"$taken/list"
    while read -r line; do
        n_skipped=$((n_skipped + 1))
        echo "skipped: $name:$line"
    done <"$taken/not_run"
    if [ -n "$update" ]; then
        awk -v mode=update -v out="$taken" -f "$examples" "$1" >"$work/page" && cat "$work/page" >"$1"
    fi
}

if ! command -v flatc >/dev/null; then
    echo 'skipped: the examples of the manual: flatc is not installed'
    echo 'manualexamples: 0 passed, 0 failed, 1 skipped'
    exit
fi
(make_files) || fail 'the files of the examples'
[ $# = 0 ] && set -- "$top"/man/*.[1-9]
for page in "$@"; do
    run_page "$page"
done

echo "manualexamples: $n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed = 0 ]
