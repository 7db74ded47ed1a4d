#!/bin/sh
# Records made before September 2025 have no instruction_id_to_num_outs_map; the table does not need it.
mlp=testdata/mlp
unpack $mlp/record.etrecord members
rm members/instruction_id_to_num_outs_map
pack members record.etrecord
show etinspect $mlp/run.etdp record.etrecord --output found.txt
cmp found.txt $mlp/table.txt
