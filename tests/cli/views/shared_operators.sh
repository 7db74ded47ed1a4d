# Many kernels may share the nodes of one debug handle: their rows do not repeat lists that are long, and tables of a
# database have each list once.
command -v sqlite3 >/dev/null || { echo "there is no sqlite3"; exit 77; }
make_inputs() { # N OPERATORS: N kernels that share N nodes of so many operators
    mkdir -p members/edge_dialect_exported_program
    : >members/ETRECORD_V0
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) list = list (i ? ", " : "") "\"" i "\": [7]"
        print "{\"forward\": {" list "}}" }' >members/debug_handle_map
    awk -v n="$1" -v ops="$2" 'BEGIN {
        printf "{\"graph_module\": {\"graph\": {\"nodes\": ["
        for (i = 0; i < n; i++)
            printf "%s{\"name\": \"n%d\", \"target\": \"executorch.exir.dialects.edge.ops.aten.op%d.default\", " \
                   "\"inputs\": [], \"outputs\": [], \"metadata\": {\"debug_handle\": \"7\"}}", i ? ", " : "", i, i % ops
        print "]}}}" }' >members/edge_dialect_exported_program/forward
    pack members model.etrecord
    awk -v n="$1" 'BEGIN {
        printf "{run_data: [{name: \"Execute\", events: ["
        for (i = 0; i < n; i++)
            printf "%s{profile_event: {name: \"native_call_op%d.out\", start_time: %d, end_time: %d, instruction_id: %d}}",
                i ? ", " : "", i % 2, i, i + 1, i
        print "]}]}" }' | make-etdump run.etdp
}
echo '--- more than 32 operators: each once'
make_inputs 40 2
show etinspect events --columns event_name,op_types,debug_handles --top 2 -f csv run.etdp model.etrecord
show etinspect events --columns event_name,op_types --top 2 -f ndjson --filter 'op_types =~ "^aten.op0.default, aten.op1.default$"' run.etdp model.etrecord |
    sed 's/, "provenance".*//'
etinspect rows --etrecord_path model.etrecord --columns event_name,op_types run.etdp | sed 's/, "provenance".*//; 1q'
echo '--- 32: all of them'
make_inputs 32 2
etinspect events -f ndjson --columns op_types --filter 'event_name =~ "op0"' run.etdp model.etrecord | sed 1q | tr , '\n' | grep -c aten
echo '--- as many operators as kernels: no lists'
make_inputs 1000 1000
show etinspect events --columns event_name,op_types --top 2 -f csv run.etdp model.etrecord
show etinspect events --columns debug_handles run.etdp model.etrecord
etinspect events -f json run.etdp model.etrecord | sed 's/"op_types"/\n&/g' | grep -c '^"op_types": "\[.aten.op0.default., .aten.op1.default. ... .aten.op999.default.\] (1000 total)"'
echo '--- and each list of the database once'
etinspect -o found.db run.etdp model.etrecord
sqlite3 found.db 'SELECT count(*) FROM ops; SELECT count(*) FROM record_nodes; SELECT count(DISTINCT record_id) FROM events'
