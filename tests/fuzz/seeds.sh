#!/bin/sh
# seeds.sh TARGET DIRECTORY BYTES - puts inputs of at most BYTES into DIRECTORY for TARGET to start from: the dumps and
# records of testdata, in the form of that target's inputs, and the small ones described in seeds/.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
target=$1
seeds=$2
limit=$3
mkdir -p "$seeds"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Prints the size of a file, or 0 if it does not exist, as 4 bytes.
size_of() {
    size=0
    [ ! -f "$1" ] || size=$(wc -c <"$1")
    # shellcheck disable=SC2059 # the format is the number
    printf "$(printf '\\%03o' $((size % 256)) $((size / 256 % 256)) $((size / 65536 % 256)) 0)"
}

# ---- ETDumps ---------------------------------------------------------------------------------------

# One event in more runs than a sum takes at once.
describe_many_runs() {
    printf '{"run_data": ['
    run=1
    while [ $run -le 150 ]; do
        [ $run = 1 ] || printf ','
        printf '{"name": "Execute", "events": [{"profile_event": {"name": "a", "start_time": %d, "end_time": %d}}]}' \
            $run $((run * run))
        run=$((run + 1))
    done
    printf ']}'
}

make_dumps() {
    for dump in testdata/*/run.etdp; do
        cp "$dump" "$1/$(basename "$(dirname "$dump")").etdp"
    done
    describe_many_runs >"$work/many-runs.json"
    for description in tests/fuzz/seeds/*.json "$work/many-runs.json"; do
        name=$(basename "$description" .json)
        flatc --binary -o "$1" schema/etdump.fbs "$description"
        mv "$1/$name.etdp" "$1/$name-without-size.etdp"
        flatc --binary --size-prefixed -o "$1" schema/etdump.fbs "$description"
    done
}

# ---- programs --------------------------------------------------------------------------------------

make_programs() {
    for program in testdata/*/*.pte testdata/*/*.ptd testdata/*/*.bpte; do
        cp "$program" "$1/$(basename "$(dirname "$program")")-$(basename "$program")"
    done
}

# ---- delegates -------------------------------------------------------------------------------------

make_delegates() {
    node='{"name": "%s", "kind": %d, "dataRegion": {"offset": %d, "size": %d}, "children": {%s}}'
    handles='{"versionInfo": "9.0", "debugSymbolToHandles": {"b:conv": [1, 2], "a:const": [], "b:conv": [-3]}}'
    {
        # shellcheck disable=SC2059 # the node is a format
        printf "c{\"nodes\": [$node, $node, $node]}\\0%s" debug_info.json 0 0 ${#handles} '' other 1 0 0 '' '' 1 0 0 \
            '"debug_info.json": 0, "other": 1' "$handles"
    } >"$1/coreml"
    {
        printf 'vvela_bin_stream\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
        printf 'cmd_data\0\0\0\0\0\0\0\0\004\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0COP1\0\0\0\0\0\0\0\0\0\0\0\0'
        printf 'scratch_size\0\0\0\0\004\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0@M\001\0\0\0\0\0\0\0\0\0\0\0\0\0'
        printf 'vela_end_stream\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    } >"$1/vela"
    number=0
    while read -r name; do
        number=$((number + 1))
        printf 'e\001%s' "$name" >"$1/event-$number"
    done <<'END'
QNN (execute) time (us)
Accelerator (execute) time (cycles)
aten_convolution_default_3:OpId_29 (cycles)
Input OpId_2 (cycles)
DDR spill (bytes)
VGF_QUEUE_SUBMIT_AND_WAIT_FENCE
VGF_INIT_TOTAL
ETVK_EXECUTE
END
    printf 'e\0+EthosUBackend::execute()handles.input.memcpy()' >"$1/plain"
    printf 'e\0%s' '+EthosUBackend::init()alloc' >"$1/plain-load"
    printf 'e\0037\0\014' >"$1/number"
    printf 'e\001y:conv\0%s' '{"preferredComputeUnit": "NE", "supportedComputeUnits": ["CPU", "NE"], "operatorName": "ios16.conv", "estimatedCost": 0.04}' \
        >"$1/metadata"
}

# ---- ETRecords -------------------------------------------------------------------------------------

pack() {
    (cd "$work/members" && zip -q -X -D -r "$1" "$2" .)
}

# make_record RECORD NAME: makes records without the unread members, stored and deflated, and with the member names of 2023.
# RECORD is a file, or a directory with its members.
make_record() {
    rm -rf "$work/members"
    if [ -d "$1" ]; then
        cp -r "$1" "$work/members"
    else
        mkdir "$work/members"
        unzip -q "$1" -d "$work/members"
    fi
    find "$work/members" -type f \( -name '*_state_dict' -o -name '*_constants' -o -name '*_example_inputs' -o \
        -name exported_program -o -name reference_outputs -o -name representative_inputs \) -exec rm {} +
    pack -9 "$2-deflated.etrecord"
    [ "$(du -sk "$work/members" | cut -f 1)" -gt 64 ] || pack -0 "$2-stored.etrecord"
    [ -f "$work/members/edge_dialect_exported_program/forward" ] || return 0
    mkdir "$work/members/before"
    mv "$work/members/edge_dialect_exported_program/forward" "$work/members/before/edge"
    rmdir "$work/members/edge_dialect_exported_program" 2>/dev/null || return 0
    mv "$work/members/before/edge" "$work/members/edge_dialect_exported_program"
    pack -9 "$2-old.etrecord"
}

make_records() {
    make_record tests/fuzz/seeds/record "$1/made"
    for record in testdata/*/*.etrecord; do
        make_record "$record" "$1/$(basename "$(dirname "$record")")-$(basename "$record" .etrecord)"
    done
}

# Deeper than any reader goes.
nested() {
    printf '%s' "$1"
    printf '[%.0s' $(seq 300)
}

make_graphs() {
    cp tests/fuzz/seeds/record/edge_dialect_exported_program/forward "$1/made.json"
    nested '{"other": ' >"$1/nested.json"
    for record in testdata/*/*.etrecord; do
        unzip -Z -1 "$record" | grep -E '^(edge_dialect_exported_program/[^_]*|exported_program)$' |
            while read -r member; do
                unzip -p "$record" "$member" >"$1/$(basename "$(dirname "$record")")-$(basename "$member").json"
            done
    done
    # Weights are not JSON; neither is a program in a separate archive.
    for graph in "$1"/*; do
        [ "$(head -c 1 "$graph")" = '{' ] || rm "$graph"
    done
}

make_maps() {
    { printf '{}\0'; nested '{"forward": {"0": {"other": '; } >"$1/nested"
    (
        cd tests/fuzz/seeds/record
        cat debug_handle_map
        printf '\0'
        cat delegate_map
        printf '\0'
        cat instruction_id_to_num_outs_map
    ) >"$1/made"
    for record in testdata/*/*.etrecord; do
        {
            unzip -p "$record" debug_handle_map
            printf '\0'
            unzip -p "$record" delegate_map
            printf '\0'
            unzip -p "$record" instruction_id_to_num_outs_map
        } >"$1/$(basename "$(dirname "$record")")"
    done
}

# ---- several inputs in one -------------------------------------------------------------------------

# The dumps of seeds/ fill these 24 bytes completely: one byte less is an error.
make_debug_buffers() {
    make_dumps "$work"
    head -c 24 testdata/dynamic-batch/debug_buffer.bin >"$work/buffer"
    for dump in "$work"/*.etdp; do
        name=$(basename "$dump" .etdp)
        buffer=testdata/$name/debug_buffer.bin
        [ -f "$buffer" ] || buffer=$work/buffer
        { size_of "$dump"; cat "$dump" "$buffer"; } >"$1/$name"
    done
}

# make_inspect OPTIONS DUMP RECORD BUFFER: a missing file counts as none.
make_inspect() {
    # shellcheck disable=SC2059 # the options are given as a format
    printf "$1"
    size_of "$2"
    size_of "$3"
    for file in "$2" "$3" "$4"; do
        [ ! -f "$file" ] || cat "$file"
    done
}

make_inspects() {
    make_dumps "$work"
    head -c 24 testdata/dynamic-batch/debug_buffer.bin >"$work/buffer"
    make_records "$work"
    for dump in "$work"/*.etdp; do
        name=$(basename "$dump" .etdp)
        record=$work/$name-record-deflated.etrecord
        [ -f "$record" ] || record=$work/made-deflated.etrecord
        buffer=testdata/$name/debug_buffer.bin
        [ -f "$buffer" ] || buffer=$work/buffer
        make_inspect '\000\012\000\004' "$dump" none none >"$1/$name-alone"
        make_inspect '\003\012\000\024' "$dump" "$record" "$buffer" >"$1/$name-all"
        make_inspect '\024\012\062\060' "$dump" none none >"$1/$name-twice"
        make_inspect '\001\030\174\000' "$dump" "$record" none >"$1/$name-cycles"
        make_inspect '\303\012\000\004' "$dump" "$record" "$buffer" >"$1/$name-threads"
    done
    for record in "$work"/*.etrecord; do
        make_inspect '\051\012\000\045' none "$record" none >"$1/$(basename "$record")"
    done
}

# Each view and report of each model, each in another format.
make_views() {
    make_dumps "$work"
    make_records "$work"
    printf 'share > 1%%' >"$work/filter"
    printf 'p50' >"$work/sort"
    number=0
    for dump in "$work"/*.etdp; do
        name=$(basename "$dump" .etdp)
        record=$work/$name-record-deflated.etrecord
        [ -f "$record" ] || record=$work/made-deflated.etrecord
        view=0
        while [ $view -lt 15 ]; do
            flags=$((1 + 2 * (number * 7 % 64)))
            selection=$work/sort
            [ $((flags / 16 % 2)) = 0 ] || selection=$work/filter
            make_inspect "$(printf '\\%03o' $view $((number % 13)) $flags $((number % 64)))" "$dump" "$record" "$selection" \
                >"$1/$name-$view"
            view=$((view + 1))
            number=$((number + 1))
        done
    done
    view=0
    while [ $view -lt 15 ]; do
        make_inspect "$(printf '\\%03o' $view $view 1 0)" testdata/xnnpack-conv/run.etdp \
            "$work/xnnpack-conv-lowered-deflated.etrecord" "$work/sort" >"$1/lowered-$view"
        view=$((view + 1))
    done
}

# ---- the rest --------------------------------------------------------------------------------------

# The command lines of the program's own tests that have no quotes and no variables.
make_options() {
    sed -n 's/^[a-z ]*etinspect \([^$"'\''<>|&;#`(]*\).*/\1/p' tests/cli/*/*.sh | sed 's/ *$//' | sort -u >"$work/lines"
    number=0
    while read -r line; do
        number=$((number + 1))
        printf '%s' "$line" | tr ' ' '\0' >"$1/$number"
    done <"$work/lines"
}

make_writers() {
    # columns "a" and "b,"; texts, numbers, no value, a list
    printf '\005\012\000\001a\002b,\004\003x"y\002\001\000\000\000\000\000\000\000\000\006\005\004[\0471]' >"$1/kinds"
    printf '\004\377\377\001i\001f\002\200\000\000\000\000\000\000\200\003\232\231\231\231\231\231\271\077' >"$1/numbers"
    printf '\003\000\000\001n\004\0041e-3\004\0041,00\004\003nan\004\001 \004\004-12.\004\0071,234.5\000' >"$1/number-texts"
    printf '\003\000\001\001t\004\005a\nb\rc\004\006\033[31mm\004\003\342\200\250\004\002\302\205\004\002\377\376' >"$1/control"
    printf '\002\000\001\001f\004\004=1+1\004\002@x\004\003-2+\004\003\t=a\004\000\004\003;@a\004\010\357\274\235\302\240+\r-\004\006\357\273\277 =1' >"$1/formulas"
    printf '\004\000\001\001\n\002x\r\001\001\001\000\004\010one\ntwo\013\005\006 pad  \004\003\346\274\242' >"$1/lines"
}

make_wrapped() {
    printf 'boot\r\n#[RUN THIS]\r\necho "Zm9v" | base64 -d >debug_buffer.bin\r\necho "Zm\r\n9vYg==" | base64 -d >etdump.bin\r\n#[END]\r\n' >"$1/log"
    printf '#[RUN THIS]\necho "Zm8=" | base64 -d >etdump.bin\n#[RUN THIS]\necho "cut' >"$1/cut"
    printf 'a text' | gzip -n >"$1/packed"
    { gzip -n <"$1/log"; printf 'more' | gzip -n; } >"$1/packed-log"
    gzip -n <testdata/mlp/run.etdp >"$1/packed-dump"
    head -c 100000 /dev/zero | gzip -n >"$1/zeros"
}

# make_npy DESCR ORDER SHAPE BYTES: writes a header of version 1 padded to 64, and this many bytes.
make_npy() {
    header=$(printf "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }" "$1" "$2" "$3")
    printf '\223NUMPY\001\000\166\000%-117s\n' "$header"
    head -c "$4" testdata/mlp/run.etdp
}

# make_safetensors HEADER BYTES
make_safetensors() {
    # shellcheck disable=SC2059 # the format is the number
    printf "$(printf '\\%03o' $((${#1} % 256)) $((${#1} / 256)))\000\000\000\000\000\000%s" "$1"
    head -c "$2" testdata/mlp/run.etdp
}

# A list of a tensor and of every other kind of value.
make_pickle() {
    printf '\200\002]q\000(ctorch._utils\n_rebuild_tensor_v2\nq\001((X\007\000\000\000storageq\002ctorch\nFloatStorage\nq\003'
    printf 'X\001\000\000\0000q\004X\003\000\000\000cpuq\005K\006tq\006QK\000K\002K\003\206q\007K\003K\001\206q\010\211'
    printf 'ccollections\nOrderedDict\nq\011)Rq\012tq\013Rq\014'
    printf 'ctorch._utils\n_rebuild_tensor_v3\n((h\002ctorch.storage\nUntypedStorage\nX\001\000\000\0001h\005K@tQK\001K\003\205K\002\205\211h\012'
    printf 'ctorch\nuint16\ntR'
    printf 'ctorch._utils\n_rebuild_parameter\n(h\014\210h\012tR'
    printf 'K\003M\000\001J\377\377\377\377\212\005\000\000\000\000\200G@\004\000\000\000\000\000\000N\210\211X\001\000\000\000x}q\015(X\001\000\000\000ah\014K\001]uh\014\205e.'
}

# A tensor in a pickle, of the first four elements of storage 0.
make_saved_tensor() {
    printf 'ctorch._utils\n_rebuild_tensor_v2\n((X\007\000\000\000storagectorch\nFloatStorage\n'
    printf 'X\001\000\000\0000X\003\000\000\000cpuK\006tQK\000K\001K\004\206K\004K\001\206\211ccollections\nOrderedDict\n)RtR'
}

make_tensor_files() {
    { printf p && make_pickle; } >"$1/pickle"
    { printf 'f' && make_npy '<f4' False '2, 3' 24; } >"$1/array"
    { printf 'f' && make_npy '>i8' True '2, 1, 2' 32; } >"$1/big-endian"
    { printf 'f' && make_npy '|b1' False '3,' 3; } >"$1/bools"
    { printf 'n\230\000' && make_npy '<f2' True '3, 4' 24 && printf '\200\000' && make_npy '<u4' False '0, 4' 0; } >"$1/arrays"
    {
        printf 'f'
        make_safetensors '{"__metadata__":{"a":"b"},"w":{"dtype":"BF16","shape":[2,3],"data_offsets":[8,20]},"s":{"dtype":"F64","shape":[],"data_offsets":[0,8]},"f":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[20,21]}}' 21
    } >"$1/safetensors"
    make_npy '<f4' False '4, 2' 32 >"$work/a.npy"
    make_npy '>u2' True '2, 2' 8 >"$work/b.npy"
    (cd "$work" && zip -q -X -0 stored.npz a.npy b.npy && zip -q -X -9 deflated.npz a.npy b.npy)
    { printf 'f' && cat "$work/stored.npz"; } >"$1/stored"
    { printf 'f' && cat "$work/deflated.npz"; } >"$1/deflated"
    mkdir -p "$work/archive/data"
    make_pickle >"$work/archive/data.pkl"
    head -c 24 testdata/mlp/run.etdp >"$work/archive/data/0"
    head -c 64 testdata/mlp/run.etdp >"$work/archive/data/1"
    printf little >"$work/archive/byteorder"
    (cd "$work" && zip -q -X -0 -r archive.pt archive)
    { printf 'a' && cat "$work/archive.pt"; } >"$1/archive"
}

# Names and shapes are those of testdata/bundled-inputs, in npz and in safetensors.
make_reference() {
    make_safetensors '{"3:relu#0":{"dtype":"F32","shape":[1,16],"data_offsets":[0,64]},"2:layer_norm#1":{"dtype":"F64","shape":[1,1],"data_offsets":[64,72]},"Execute [input 0].0/5:native_call_addmm.out#0":{"dtype":"F32","shape":[4],"data_offsets":[72,88]},"Execute [input 0].0/output#0":{"dtype":"BF16","shape":[1,4],"data_offsets":[88,96]}}' 96
}

# The flags give the options and the inputs of the comparison; the last one is the number of a program and a method.
make_numerics() {
    mkdir "$work/numerics" "$work/arrays"
    make_npy '<f4' False '1, 16' 64 >"$work/arrays/3:relu#0.npy"
    make_npy '>f2' True '1, 1' 2 >"$work/arrays/2:layer_norm#2.npy"
    (cd "$work/arrays" && zip -q -X -9 ../reference.npz ./*)
    for flags in '\000\000' '\002\003' '\003\104' '\003\005' '\013\000' '\022\001' '\027\201' '\004\146'; do
        name=$(printf '%s' "$flags" | tr -cd 0-9)
        # shellcheck disable=SC2059
        {
            { printf "r$flags" && make_reference; } >"$1/safetensors-$name"
            { printf "r$flags" && cat "$work/reference.npz"; } >"$1/npz-$name"
            { printf "r$flags" && cat testdata/bundled-inputs/bundle.bpte; } >"$1/bundle-$name"
        }
    done
    { printf 'r\000\030' && cat testdata/bundled-inputs/bundle.bpte; } >"$1/verified"
    make_debug_buffers "$work/numerics"
    number=0
    for run in "$work/numerics"/*; do
        # shellcheck disable=SC2059
        { printf "d$(printf '\\%03o\\%03o' $((number * 3 % 25)) $((number * 37 % 256)))" && cat "$run"; } >"$1/run-$(basename "$run")"
        number=$((number + 1))
    done
    {
        printf 'o\000\000\200\002}q\000X\007\000\000\000forward](]('
        make_saved_tensor
        printf 'K\003G@\004\000\000\000\000\000\000\210e]('
        make_saved_tensor
        printf 'ees.'
    } >"$1/outputs"
    { printf 't\001\006\260\000' && make_npy '<f4' False '2, 6' 48 && printf '\000\000\230\000' && make_npy '<f4' False '2, 3' 24; } >"$1/case"
    { printf 't\000\006\260\000' && make_npy '>f4' True '2, 6' 48; } >"$1/case-inputs"
    { printf 't\001\001\230\000' && make_npy '<f4' True '2, 3' 24; } >"$1/case-dynamic"
    { printf 't\001\002\214\000' && make_npy '<f4' False '3,' 12 && printf '\000\000\214\000' && make_npy '<f4' False '3,' 12; } >"$1/case-state"
}

# The expressions of its unit test, and the words that stand in them.
make_filters() {
    number=0
    sed -n 's/^ *assert_\(rows\|fails\)("\(.*\)", .*/\2/p' tests/unit/table/test_filter.c | sed 's/\\"/"/g; s/\\\\/\\/g' |
        while read -r line; do
            number=$((number + 1))
            printf '%s' "$line" >"$1/$number"
        done
}

make_baselines() {
    head='etinspect-baseline,4,samples\ntime_scale,ns\n'
    {
        printf '%b' "$head"
        printf 'method,forward\nlabel,device,"a, b"\nfile,a,1,\ncolumns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,ticks\n'
        printf 'block,Default,,1,0\nloading,loading,,,,,,,,,,7\nblock,Execute,0,3,2\nexecute,all,,,,,,,,,,9;8;7\n'
        printf 'operators,o,,,,,,,,,,5;5;5\ndelegates,d,,,,,,,,,,1;2;1\nframework,f,,,,,,,,,,1;1;1\n'
        printf 'kernel,add #1,aten.add,,fc,,,1 2,m.py,3,"y = ""x"",",5;5;5\ndelegated,mul,aten.mul,,fc,X,4,,,,,1;1;1\n'
        printf 'delegate_call,DELEGATE_CALL,,,,X,,,,,,0;1;0\ninstruction,JF_CALL,,,,,,,,,,0;0;1\n'
    } >"$1/all"
    printf '%b' "etinspect-baseline,4\ntime_scale,cycles,1e9\nfile,a,,\nblock,a,,5,0\nkernel,k,,k,,,,,,,,1,1,2,3.5,4,5,2,1,1e3\n" >"$1/summary"
    printf '%b' "etinspect-baseline,1\ntime_scale,ns\nblock,a,,2,0\nkernel,k,,,,,,,,,1;2\n" >"$1/version-1"
    {
        printf '%b' "${head}file,a,,\nblock,a,,6,0\nexecute,e,,,,,,,,,,1;2;3;4;5;6\n"
        for event in 1 2 3 4 5 6 7 8 9 10 11 12; do
            printf 'kernel,k%d,o%d,,m,,,,,,,%d;2;3;4;5;6\n' $event $((event % 5)) $event
        done
    } >"$1/kernels"
    cat >"$1/history" <<END
etinspect-baseline,4
time_scale,ns
label,device,a
file,a,7,2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881,commit=1
file,b,7,,commit=2,date=x
columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,step,fast,p50,p90,p95,p99,avg,min,max
block,Execute,0,3;5,2;0
execute,all,,,,,,,,,,1,9;8,9;8.5,10;9,10;9,11;9,9.1;8,7;7,11;1e9
kernel,add,aten.add,aten.add,fc,,,1 2,m.py,3,"f(x)",2,1;,2;,3;,3;,4;,1.5;,1;,4;
kernel,new,,new,,,,,,,,,;1,;2,;3,;3,;3,;2,;1,;3
allocated,allocated,,,,,,,,,,,4;8,4;8,4;8,4;8,4;8,4;8,4;8,4;8
END
    cat >"$1/samples" <<END
etinspect-baseline,4,samples
time_scale,us
file,c,8
file,d,,,branch=m
block,Execute,0,1;2,2;0
kernel,add,aten.add,aten.add,fc,,,1 2,m.py,3,"f(x)",9|8;7
kernel,mul,,mul,,,,,,,,|8;7
block,Execute,0,;2,;0
kernel,sub,,sub,,,,,,,,|1;2
END
    { cat "$1/history"; printf '\0'; cat "$1/samples"; } >"$1/merged"
    { cat "$1/samples"; printf '\0'; sed 's/file,c,8/file,e,9/; /mul/d' "$1/samples"; } >"$1/joined"
    { cat "$1/kernels"; printf '\0'; sed 's/kernel,k7/kernel,x7/; s/;6$/;16/; 5d' "$1/kernels"; } >"$1/two"
}

# A history and additions to it, with each combination of options; some cannot be added.
make_histories() {
    mkdir "$1.parts"
    make_baselines "$1.parts"
    for night in 1 2 3; do
        sed "s/file,a,7,2d711/file,n$night,8,${night}d711/; s/file,b,7,/file,m$night,9,/" "$1.parts/history" >"$1.parts/night$night"
        sed "s/file,c,8/file,s$night,1$night/; s/file,d,/file,t$night,2$night/" "$1.parts/samples" >"$1.parts/samples$night"
    done
    for flags in '\000' '\001' '\002' '\003' '\014' '\034' '\035' '\036'; do
        for kind in night samples; do
            begin=history
            [ $kind = night ] || begin=samples
            {
                printf '%b' "$flags"
                cat "$1.parts/$begin"
                for night in 1 2 3; do
                    printf '\0'
                    cat "$1.parts/$kind$night"
                done
            } >"$1/$kind$(printf '%s' "$flags" | tr -cd 0-9)"
        done
    done
    { printf '\001' && cat "$1.parts/all" && printf '\0' && cat "$1.parts/night1"; } >"$1/version-1"
    { printf '\001' && cat "$1.parts/night1" && printf '\0' && cat "$1.parts/summary"; } >"$1/other"
    { printf '\0' && cat "$1.parts/night1" && printf '\0' && cat "$1.parts/night1"; } >"$1/twice"
    rm -r "$1.parts"
}

# The kinds are bytes: "0" is a rule, "1" a file of budgets, "2" a list.
make_budgets() {
    number=0
    while read -r rule; do
        number=$((number + 1))
        printf '0%s' "$rule" >"$1/rule-$number"
    done <<'END'
p50>+5%
op=aten::conv*:p90>+20us min_share=1% min_effect=1.5e2ns
module=encoder.?*:avg>+5% min_effect=1ms
total:max>5ms
overhead:min>+1cycles
source=*model.py:12:p50>+0.5%min_share=0%
END
    printf '1\357\273\277# limits\r\nwhat,metric,limit,comment\r\ntotal,p50,20ms,"one ""frame"""\r\naten.conv*,p90,+10%%\nmodule=a.b,max,+3us,' >"$1/budget"
    printf '1limit,owner,what,metric\n5us,me,x,p50\n' >"$1/budget-order"
    printf '2pattern,reason,expires\n*norm*,"new kernel, #12",2026-02-28\na,b,\n' >"$1/list"
}

# A small database: one table of rows, and the tables about their origin.
make_small_database() {
    sqlite3 "$1" "PRAGMA page_size = 512; PRAGMA application_id = 1163151665; PRAGMA user_version = $2;
        CREATE TABLE dumps (dump_id INTEGER PRIMARY KEY, view TEXT, version TEXT, time_scale TEXT);
        CREATE TABLE sources (dump_id INTEGER NOT NULL REFERENCES dumps, kind TEXT, path TEXT, size INTEGER, sha256 TEXT);
        CREATE TABLE labels (dump_id INTEGER NOT NULL REFERENCES dumps, key TEXT, value TEXT);
        CREATE TABLE things (dump_id INTEGER NOT NULL REFERENCES dumps, name TEXT, n INTEGER);
        INSERT INTO dumps VALUES (1, 'v', '0', 'ms'); INSERT INTO things VALUES (1, 'a', 1), (1, 'b', 2);"
}

# make_database_input KIND DATABASE JOURNAL: writes the target's form of input.
make_database_input() {
    # shellcheck disable=SC2059 # the kind is an escape
    printf "d$1"
    size_of "$2"
    cat "$2"
    [ ! -f "$3" ] || cat "$3"
}

# The statements of its unit test, and changes that a program leaves when it ends in the middle.
make_databases() {
    number=0
    sed -n 's/^ *{*"\(\(ALTER\|CREATE\|DROP\|PRAGMA\).*\)"[,}].*/\1/p' tests/unit/sqlite/test_sqlite.c | sed 's/", "[^"]*$//; s/\\"/"/g' |
        while read -r line; do
            number=$((number + 1))
            printf 's%s' "$line" >"$1/sql-$number"
        done
    for version in 2 3; do
        make_small_database "$work/$version.db" $version
        make_database_input '\000' "$work/$version.db" none >"$1/version-$version"
    done
    (
        cd "$work"
        cp 3.db journal.db
        sqlite3 journal.db 'PRAGMA cache_size = 1' BEGIN 'UPDATE things SET name = hex(zeroblob(2000))' 'DELETE FROM dumps' \
            '.shell cp journal.db seed.db; cp journal.db-journal seed.db-journal' ROLLBACK
        cp 3.db wal.db
        sqlite3 wal.db 'PRAGMA journal_mode = WAL' 'UPDATE things SET n = 7' '.shell cp wal.db log.db; cp wal.db-wal log.db-wal'
    ) >/dev/null
    make_database_input '\001' "$work/seed.db" "$work/seed.db-journal" >"$1/journal"
    make_database_input '\002' "$work/log.db" "$work/log.db-wal" >"$1/wal"
    sqlite3 "$work/index.db" 'PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL; VACUUM' "$(sqlite3 "$work/3.db" .dump)" \
        'PRAGMA application_id = 1163151665' 'PRAGMA user_version = 3' 'CREATE INDEX i ON things(name, n)' 'CREATE UNIQUE INDEX u ON dumps(view, dump_id)'
    make_database_input '\000' "$work/index.db" none >"$1/index"
}

# ---- captures --------------------------------------------------------------------------------------

# 4 KiB of memory, no flags or the given ones; a run that loads, then others with events of all kinds.
make_captures() {
    for flags in 000 001 003 005 011 021 067; do
        {
            printf '\020\000\%s\002\000\000\001\001\006\000\004conv' $flags
            printf '\000\001\002\003\001\001\022\000\000\026\000\007\000\001\002\010\003\000\001\001\002\001'
            printf '\000\001\002\011\001a\012\001\005\014\000\006\013\000\001\001\000\006\002\002\003\021\000\000\001\000'
            printf '\002\015\000\000\000\000\017\000\001\002\024\000\003abc\026\000\002'
        } >"$1/flags-$flags"
    done
}

# ---- journals --------------------------------------------------------------------------------------

make_journals() {
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -Isrc -Isrc/include -o "$work/make_journal" tests/tools/make_journal.c src/capture/*.c -pthread
    for kind in runs ring open empty values; do
        "$work/make_journal" $kind "$1/$kind"
    done
}

# ---- Vulkan ------------------------------------------------------------------------------------------

# Payloads begin 4 bytes before their identifier; bytes after the end are ignored.
make_vulkan() {
    for model in testdata/backends/vulkan_*/model.pte; do
        name=$(basename "$(dirname "$model")")
        LC_ALL=C grep -abo VH00 "$model" | cut -d : -f 1 | while read -r at; do
            tail -c +$((at - 3)) "$model" | head -c 9000 >"$1/$name-$at"
        done
    done
    for dump in testdata/backends/vulkan_*/run.etdp; do
        grep -ao '{"[ -~]*}\|ETVK_[A-Z_]*\|[a-z0-9_]*_float_[0-9]*' "$dump" | sort -u | head -n 12 | tr '\n' '\0' \
            >"$1/$(basename "$(dirname "$dump")")-names"
    done
    printf '{Blit_half_to_float, "dispatch_id": 3}\0{"kernel_name": "a\\u0022", "operator_id": 1}\0{"operator": {"args": [{}, 3]' \
        >"$1/blit"
}

# ---- the native backend ------------------------------------------------------------------------------

make_native() {
    model=testdata/backends/native_net/model.pte
    LC_ALL=C grep -abo NPTG "$model" | cut -d : -f 1 | while read -r at; do
        tail -c +$((at - 3)) "$model" | head -c 4400 >"$1/net-$at"
    done
}

case $target in
capture) make_captures "$seeds" ;;
journal) make_journals "$seeds" ;;
database) make_databases "$seeds" ;;
baseline) make_baselines "$seeds" ;;
budget) make_budgets "$seeds" ;;
filter) make_filters "$seeds" ;;
etdump) make_dumps "$seeds" ;;
program) make_programs "$seeds" ;;
delegate) make_delegates "$seeds" ;;
etrecord) make_records "$(cd "$seeds" && pwd)" ;;
graph) make_graphs "$seeds" ;;
history) make_histories "$seeds" ;;
maps) make_maps "$seeds" ;;
debug_buffer) make_debug_buffers "$seeds" ;;
views) make_views "$seeds" ;;
inspect) make_inspects "$seeds" ;;
options) make_options "$seeds" ;;
writers) make_writers "$seeds" ;;
tensor_files) make_tensor_files "$seeds" ;;
numerics) make_numerics "$seeds" ;;
vulkan) make_vulkan "$seeds" ;;
native) make_native "$seeds" ;;
wrapped) make_wrapped "$seeds" ;;
*) echo "seeds.sh: there are no seeds for $target" >&2; exit 1 ;;
esac
find "$seeds" -type f -size +"$limit"c -exec rm {} +
