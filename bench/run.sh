#!/bin/sh
# run.sh BUILD [small|full] - measures and prints the table; README.md explains it.
#
# small goes to 10^6 events, full to 10^7. Everything is written to BUILD/bench, the numbers to BUILD/bench/results.tsv;
# BUILD/graphs keeps the exports, which take long to make.
# shellcheck disable=SC2086 # commands and options are kept as words to be split; no path among them has blanks
set -eu

if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 BUILD [small|full]" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
out=$build/bench
results=$out/results.tsv
ours=$build/etinspect
python=$build/peer/bin/python
peer="$python -m executorch.devtools.inspector.inspector_cli"
flatc="flatc --json --raw-binary --size-prefixed -o scratch $source/schema/etdump.fbs --"
tab='	'

case ${2:-small} in
small)
    sizes='100 1000 10000 100000 1000000'
    graphs='8 48'
    if [ -d "$build/graphs/380" ]; then graphs='8 48 380'; fi
    ;;
full)
    sizes='100 1000 10000 100000 1000000 10000000'
    graphs='8 48 380'
    ;;
*)
    echo "$0: small or full, not $2" >&2
    exit 2
    ;;
esac
# The Inspector takes half a minute or more for each of these, and is killed during the last one.
peer_dumps='one-10000 square-100000 short-100000 ten-100000 delegated-100000 debug-100000 square-1000000'

cd "$out"
mkdir -p scratch
export LC_ALL=C.UTF-8

columns='kind case events samples bytes json_bytes label runs wall quartile1 quartile3 processor peak_memory output_bytes'
echo "$columns outcome least_processor" | tr ' ' '\t' >"$results"

# LABEL FIELDS..., then arguments of measure: prints one line per command.
record() {
    echo "  $1" | tr '\t' ' ' >&2
    prefix=$1
    shift
    ./measure -p "$prefix" "$@" >>"$results"
}

# ---- dumps ---------------------------------------------------------------------------------------

# CASE EVENTS
asks_peer() {
    case " $peer_dumps " in
    *" $1-$2 "*) return 0 ;;
    esac
    return 1
}

# CASE SHAPE RUNS EVENTS [-s]: measures all readers of one dump.
measure_dump() {
    name=$1 shape=$2 events=$(($3 * $4))
    dump=scratch/dump.etdp
    samples=$(./make_dump ${5:-} -b scratch/debug_buffer.bin "$shape" "$3" "$4" $dump | cut -f 1)
    input=$dump
    if [ "$shape" = debug ]; then input="$dump --debug_buffer_path scratch/debug_buffer.bin"; fi

    set -- : table /dev/null "$ours" $input : tsv /dev/null "$ours" --format tsv $input \
        : check /dev/null "$ours" check $input \
        : raw-mmap /dev/null ./raw_sum mmap $dump : raw-read /dev/null ./raw_sum read $dump \
        : flatc /dev/null $flatc $dump
    if [ "$events" -ge 1000000 ]; then
        set -- "$@" : table-file scratch/table "$ours" $input : tsv-file scratch/tsv "$ours" --format tsv $input \
            : raw-table-file scratch/raw ./raw_sum read $dump "$("$ours" $input | wc -c)" \
            : raw-tsv-file scratch/raw ./raw_sum read $dump "$("$ours" --format tsv $input | wc -c)"
    fi
    if [ "$events" -ge 10000000 ]; then
        set -- "$@" : limited /dev/null prlimit --data=$((events * 24)) "$ours" --format tsv $input
    fi
    if asks_peer "$name" "$events"; then
        set -- "$@" : peer /dev/null $peer --etdump_path $input
    fi
    record "dump$tab$name$tab$events$tab$samples$tab$(stat -c %s $dump)${tab}0" -n 9 -b 4 "$@"
    rm -f $dump scratch/table scratch/tsv scratch/raw
}

# As many runs as operators in a run, at most 1000.
measure_square() {
    case $1 in
    100) measure_dump "$2" operators 10 10 $3 ;;
    1000) measure_dump "$2" operators 100 10 $3 ;;
    10000) measure_dump "$2" operators 100 100 $3 ;;
    100000) measure_dump "$2" operators 1000 100 $3 ;;
    *) measure_dump "$2" operators $(($1 / 1000)) 1000 $3 ;;
    esac
}

measure_dumps() {
    # flatc names its output after its input.
    ln -sf /dev/null scratch/dump.json
    for events in $sizes; do
        measure_square "$events" square ''
        measure_dump short operators $((events / 10)) 10
        measure_dump ten operators 10 $((events / 10))
        measure_dump one operators 1 "$events"
        measure_dump delegated delegated $((events / 100)) 100
        measure_dump debug debug $((events / 100)) 100
    done
    measure_square 1000000 shared -s
}

# ---- views and formats ----------------------------------------------------------------------------

# CASE EVENTS INPUT...: measures all forms beside TSV, files beside a file.
measure_views() {
    views_prefix="$1$tab$2${tab}0${tab}0${tab}0"
    shift 2
    record "views$tab$views_prefix" -n 5 -b 5 : tsv /dev/null "$ours" --format tsv "$@" \
        : summary /dev/null "$ours" summary "$@" : runs /dev/null "$ours" runs "$@" \
        : runs-events /dev/null "$ours" runs --events "$@" : alloc /dev/null "$ours" alloc "$@" \
        : tree /dev/null "$ours" tree "$@" : ops /dev/null "$ours" ops "$@" \
        : graph /dev/null "$ours" graph "$@" : source /dev/null "$ours" source "$@" \
        : group-op /dev/null "$ours" --group op "$@" : group-module /dev/null "$ours" --group module "$@" \
        : group-source /dev/null "$ours" --group source "$@" \
        : sort /dev/null "$ours" --format tsv --sort p50:desc "$@" \
        : all-columns /dev/null "$ours" --format tsv --columns all "$@"
    record "formats$tab$views_prefix" -n 5 -b 5 : tsv /dev/null "$ours" --format tsv "$@" \
        : table /dev/null "$ours" "$@" : text /dev/null "$ours" --format text "$@" \
        : markdown /dev/null "$ours" --format markdown "$@" : csv /dev/null "$ours" --format csv "$@" \
        : json /dev/null "$ours" --format json "$@" : ndjson /dev/null "$ours" --format ndjson "$@" \
        : json-samples /dev/null "$ours" --format json --samples "$@" \
        : tsv-file scratch/tsv "$ours" --format tsv --output scratch/tsv "$@" \
        : sqlite scratch/sqlite "$ours" --format sqlite --output scratch/sqlite "$@" \
        : sqlite-samples scratch/samples "$ours" --format sqlite --samples --output scratch/samples "$@"
    rm -f scratch/tsv scratch/sqlite scratch/samples
}

measure_all_views() {
    for shape in '1000 1000' '10 100000' '1 1000000'; do
        ./make_dump operators $shape scratch/views.etdp >/dev/null
        measure_views "$(echo $shape | tr ' ' x)" 1000000 scratch/views.etdp
    done
    rm -f scratch/views.etdp
    for blocks in $graphs; do
        measure_views "$blocks blocks" 0 "$build/graphs/$blocks/run.etdp" "$build/graphs/$blocks/record.etrecord"
    done
}

# ---- comparisons -----------------------------------------------------------------------------------

# Measures a comparison of two dumps with different times, beside the table of one.
measure_diffs() {
    for shape in '1000 100' '100 1000' '10 10000' '1 100000'; do
        rm -rf scratch/sides
        mkdir scratch/sides
        ./make_dump -n 2 operators $shape scratch/sides/ >/dev/null
        base=scratch/sides/00000.etdp new=scratch/sides/00001.etdp
        record "diff$tab$(echo "$shape" | tr ' ' x)${tab}100000${tab}100000$tab$(stat -c %s $base)${tab}0" -n 25 -b 8 \
            : table /dev/null "$ours" $base : diff /dev/null "$ours" diff $base $new \
            : diff-all /dev/null "$ours" diff --all $base $new \
            : one-process /dev/null "$ours" diff --one_process $base $new \
            : gate /dev/null "$ours" gate $base $new
    done
    rm -rf scratch/sides
}

# ---- graphs --------------------------------------------------------------------------------------

# BLOCKS: measures the dump of a real run and the record of a real export, made if missing.
measure_graph() {
    graph=$build/graphs/$1
    if [ ! -f "$graph/record.etrecord" ]; then
        "$python" "$source/bench/make_graph.py" "$1" "$graph" >"$out/graph-$1.log" 2>&1
    fi
    dump=$graph/run.etdp graph_record=$graph/record.etrecord
    json=$(unzip -lqq "$graph_record" edge_dialect_exported_program/forward | awk '{ print $1 }')
    prefix="graph$tab$1 blocks${tab}0${tab}0$tab$(stat -c %s "$graph_record")$tab$json"
    record "$prefix" -n 9 -b 4 : table /dev/null "$ours" "$dump" "$graph_record" \
        : tsv /dev/null "$ours" --format tsv "$dump" "$graph_record" \
        : check /dev/null "$ours" check "$dump" "$graph_record" \
        : alone /dev/null "$ours" --format tsv "$dump" \
        : raw-mmap /dev/null ./raw_sum mmap "$graph_record" : raw-read /dev/null ./raw_sum read "$graph_record" \
        : peer /dev/null $peer --etdump_path "$dump" --etrecord_path "$graph_record"
}

# ---- small inputs --------------------------------------------------------------------------------

count_instructions() {
    label=$1
    shift
    counted=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : //p')
    printf 'instructions\tmlp\t0\t0\t0\t0\t%s\t1\t0\t0\t0\t0\t0\t%s\tok\n' "$label" "$counted" >>"$results"
}

measure_small() {
    mlp=$source/testdata/mlp
    both="$mlp/run.etdp $mlp/record.etrecord"
    record "small${tab}mlp${tab}0${tab}0$tab$(stat -c %s "$mlp/run.etdp")${tab}0" -n 300 -b 20 \
        : true /dev/null /bin/true : start /dev/null "$ours" --version \
        : dump /dev/null "$ours" "$mlp/run.etdp" : table /dev/null "$ours" $both \
        : tsv /dev/null "$ours" --format tsv $both : check /dev/null "$ours" check $both \
        : peer /dev/null $peer --etdump_path "$mlp/run.etdp" --etrecord_path "$mlp/record.etrecord"
    count_instructions true /bin/true
    count_instructions start "$ours" --version
    count_instructions dump "$ours" "$mlp/run.etdp"
    count_instructions table "$ours" $both
    count_instructions tsv "$ours" --format tsv $both
    count_instructions check "$ours" check $both
}

# Uses names without a directory, so that 10,000 of them fit into the arguments of several commands.
measure_many() {
    rm -rf scratch/many
    mkdir scratch/many
    ./make_dump -n "$1" operators 10 13 scratch/many/ >scratch/counts
    prefix="many${tab}10 x 13$tab$(($1 * 132))$tab$(($1 * 132))$tab$(cat scratch/many/* | wc -c)${tab}0"
    (
        cd scratch/many
        echo "  $1 small dumps" >&2
        ../../measure -n 5 -b 10 -p "$prefix" : table /dev/null "$ours" ./*.etdp \
            : tsv /dev/null "$ours" --format tsv ./*.etdp : check /dev/null "$ours" check ./*.etdp \
            : cat /dev/null cat ./*.etdp >>"$results"
    )
    rm -rf scratch/many
}

# ---- limits --------------------------------------------------------------------------------------

# Measures what has a limit in processor time: the least of 15 runs each.
measure_limits() {
    for shape in '100 1000' '1000 1000'; do
        events=$((${shape% *} * ${shape#* }))
        ./make_dump operators $shape scratch/limits.etdp >/dev/null
        record "limits${tab}json${tab}$events${tab}$events$tab$(stat -c %s scratch/limits.etdp)${tab}0" -n 15 -b 60 \
            : raw-mmap /dev/null ./raw_sum mmap scratch/limits.etdp : raw-read /dev/null ./raw_sum read scratch/limits.etdp \
            : json /dev/null "$ours" --format json scratch/limits.etdp
    done
    for files in 1000 2000; do
        rm -rf scratch/history
        mkdir scratch/history
        ./make_dump -n $files operators 10 13 scratch/history/ >/dev/null
        "$ours" baseline save scratch/history.csv scratch/history/*.etdp
        # The kernel relu takes twice as long from the middle on: all orders that the test needs are drawn.
        awk -F , -v OFS=, '$2 ~ /relu/ {
            for (i = 13; i <= NF; i++) {
                n = split($i, values, ";")
                $i = ""
                for (j = 1; j <= n; j++)
                    $i = $i (j > 1 ? ";" : "") (j > n / 2 ? 2 : 1) * values[j]
            }
        } { print }' scratch/history.csv >scratch/changed.csv
        record "limits${tab}trend$tab$files${tab}0${tab}0${tab}0" -n 15 -b 60 \
            : trend /dev/null "$ours" trend scratch/history/*.etdp : changed /dev/null "$ours" trend scratch/changed.csv
    done
    for blocks in $graphs; do
        set -- "$build/graphs/$blocks/run.etdp" "$build/graphs/$blocks/record.etrecord"
        record "limits${tab}ops$tab$blocks${tab}0${tab}0${tab}0" -n 15 -b 60 : table /dev/null "$ours" "$@" \
            : ops /dev/null "$ours" ops "$@"
    done
    rm -rf scratch/limits.etdp scratch/history scratch/history.csv scratch/changed.csv
}

# ---- all -----------------------------------------------------------------------------------------

measure_small
measure_dumps
for blocks in $graphs; do
    measure_graph "$blocks"
done
measure_all_views
measure_diffs
measure_limits
measure_many 10000
awk -f "$source/bench/report.awk" "$results" | tee report.txt
