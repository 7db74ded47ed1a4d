#!/bin/sh
# A record whose only method is not called forward.
mlp=testdata/mlp
unpack $mlp/record.etrecord members
for map in debug_handle_map delegate_map instruction_id_to_num_outs_map; do
    sed 's/"forward"/"encode"/' members/$map >changed
    mv changed members/$map
done
for name in members/edge_dialect_exported_program/*; do
    mv "$name" "${name%/forward*}/encode${name##*/forward}"
done
pack members record.etrecord
show etinspect $mlp/run.etdp record.etrecord --output found.txt
cmp found.txt $mlp/table.txt
# The maps say forward, the program does not.
cp members/debug_handle_map kept
sed 's/"encode"/"forward"/' kept >members/debug_handle_map
pack members record.etrecord
show etinspect $mlp/run.etdp record.etrecord --format tsv --output found.tsv
show etinspect $mlp/run.etdp record.etrecord --method encode --format tsv --output found.tsv
