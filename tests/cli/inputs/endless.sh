#!/bin/sh
# Endless inputs are rejected by their beginning, and standard input like a named file.
case ${RUNNER-} in *qemu-arm\ *) echo 'files of 10 GiB have no addresses on armhf' && exit 77 ;; esac
dump=testdata/mlp/run.etdp
{ printf '\020\0\0\0\030\0\0\0ED00'; cat /dev/zero 2>/dev/null; } | etinspect - 2>&1
printf '\0\0\0\120\030\0\0\0ED00' >sparse.etdp
truncate -s 20G sparse.etdp
etinspect - <sparse.etdp 2>&1
refused etinspect gate --fail_on 'total:p50>+5%' --budget /dev/zero $dump $dump
refused etinspect gate --fail_on 'total:p50>+5%' --allow /dev/zero $dump $dump
refused etinspect $dump --debug_buffer_path /dev/zero
refused etinspect baseline save /dev/zero --append $dump
# Bytes before the file offset count as read.
{ printf more; cat $dump; } >longer
{ dd bs=1 count=4 of=/dev/null 2>/dev/null; etinspect -; } <longer | cmp - testdata/mlp/etdump-only.txt
