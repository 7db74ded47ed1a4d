#!/bin/sh
# A truncated ZIP, and one whose contents changed.
mlp=testdata/mlp
size=$(wc -c <$mlp/record.etrecord)
for length in 4 100 $((size / 2)) $((size - 1)); do
    head -c $length $mlp/record.etrecord >cut.etrecord
    refused etinspect $mlp/run.etdp cut.etrecord
done
# One letter of the graph is changed: the member's checksum detects it.
LC_ALL=C sed 's/native_layer_norm/native_layer_nerm/' $mlp/record.etrecord >changed.etrecord
refused etinspect $mlp/run.etdp changed.etrecord
printf 'PK\003\004' >short.etrecord
refused etinspect $mlp/run.etdp short.etrecord
