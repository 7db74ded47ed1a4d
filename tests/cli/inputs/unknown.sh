#!/bin/sh
# Files that are not inputs are rejected by their first bytes, whatever their length.
case ${RUNNER-} in *qemu-arm\ *) echo 'files of 10 GiB have no addresses on armhf' && exit 77 ;; esac
truncate -s 10G zeros
printf '\0\0\0 ftypisom' >video.mp4
truncate -s 10G video.mp4
printf 'SQLite format 3\0' >results.db
printf '{"traceEvents": [' >trace.json
for file in /dev/zero zeros video.mp4 results.db trace.json; do
    refused etinspect summary $file
done
refused etinspect --etdump_path /dev/zero
refused etinspect --etdump_path testdata/mlp/run.etdp --etrecord_path /dev/zero
refused etinspect diff /dev/zero testdata/mlp/run.etdp
refused etinspect check /dev/zero
head -c 10G /dev/zero | refused etinspect summary -
yes | refused etinspect summary -
gzip -c video.mp4 2>/dev/null | refused etinspect summary -
head -c 1000000 /dev/zero >short
{
    refused etinspect summary -
    echo "$(wc -c) bytes were not read"
} <short
# The marker in a log may follow up to 64 MiB of other text.
{ yes 'boot: 12345' | head -c 67108864 && printf '#[RUN THIS]\n#[END]\n'; } >log
refused etinspect log
{ yes 'boot: 12345' | head -c 67108865 && printf '#[RUN THIS]\n#[END]\n'; } | refused etinspect -
