#!/bin/sh
# Typed text is shown on the terminal without control characters (C0, DEL, C1) and as UTF-8.
exec 2>&1
controls=$(printf 'a\033[31m\177\302\200\302\233\302\237\302\240|')
invalid=$(printf '\233\377|\300\233|\340\202\233|\360\200\202\233|\355\240\200|\364\220\200\200|\365\200\200\200|\342\202')
valid=$(printf 'é€😀\357\277\277\355\237\277\364\217\277\277')
for name in "$controls" "$invalid" "$valid"; do
    etinspect "--$name"
    etinspect testdata/mlp/run.etdp --target_time_scale "$name"
    etinspect testdata/mlp/run.etdp --output /dev/null --module "$name"
done
