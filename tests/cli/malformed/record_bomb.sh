#!/bin/sh
# Small members that inflate to far more than is useful: a record has one limit for all inflated bytes, and JSON that would
# fill memory from little text is rejected.
mkdir members
: >members/ETRECORD_V0

blank() {
    head -c "$1" /dev/zero | tr '\0' ' '
}
# repeat N TEXT
repeat() {
    yes "$2" | head -n "$1" | tr -d '\n'
}
bomb() {
    rm -f record.etrecord
    (cd members && find . -type f | sort | zip -q -X -D -9 ../record.etrecord -@) # pack only stores
    refused etinspect testdata/mlp/run.etdp record.etrecord 2>&1 | sed 's/: [0-9]* bytes inflate/: N bytes inflate/
        s/of a file of .*/of a file of N bytes .../'
}

echo '# one member'
blank 50000000 >members/delegate_map
bomb

echo '# two members'
{ echo '{' && blank 300000 && echo '}'; } | tee members/delegate_map >members/debug_handle_map
bomb

echo '# a list of handles'
rm members/*_map
{ printf '{"forward": {"0": [1' && repeat 20000000 ,1 && echo ']}}'; } >members/debug_handle_map
bomb

echo '# methods'
rm members/*_map
{ printf '{' && seq -f '"%g": {},' 12000 | tr -d '\n' && echo '"m": {}}'; } >members/delegate_map
bomb

echo '# nodes and arguments with nothing in them'
rm members/*_map
mkdir members/edge_dialect_exported_program
for nodes in '{"target": "t"}' '{"target": "t", "inputs": [], "metadata": {}, "outputs": [{}]}'; do
    printf '{"graph_module": {"graph": {"nodes": [%s]}}}' "$nodes" >members/edge_dialect_exported_program/forward
    bomb
done
