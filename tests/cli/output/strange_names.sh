#!/bin/sh
# Any name that the system accepts works: with spaces, line breaks, a leading hyphen, and of the maximum length.
mlp=testdata/mlp
mkdir place
cd place || exit 1
longest=$(printf '%0255d' 0)
for name in 'two words' ' ' 'a
b' '-' '--output' '*' '.hidden' "$(printf '\377')" "$longest" '%s%n' '.etinspect-0123456789abcdef'; do
    for again in new old; do
        etinspect ../$mlp/run.etdp --output="./$name"
        cmp "./$name" ../$mlp/etdump-only.txt || echo "$again: $name"
    done
    rm -- "./$name"
done
etinspect ../$mlp/run.etdp --output=--tsv_path && cmp -- --tsv_path ../$mlp/etdump-only.txt
rm -- --tsv_path
refused etinspect ../$mlp/run.etdp --output="${longest}1"
refused etinspect ../$mlp/run.etdp --output "no
directory/x"
ls -A
