#!/bin/sh
# Bytes after the dump are ignored, and so is a wrong size prefix; a dump without the prefix can be read, too.
mlp=testdata/mlp
{ cat $mlp/run.etdp; echo more; } >longer.etdp
etinspect longer.etdp | cmp - $mlp/etdump-only.txt
{ printf '\0\0\0\0'; tail -c +5 $mlp/run.etdp; } >zero.etdp
etinspect zero.etdp | cmp - $mlp/etdump-only.txt
tail -c +5 $mlp/run.etdp >plain.etdp
etinspect plain.etdp | cmp - $mlp/etdump-only.txt
etinspect check longer.etdp zero.etdp plain.etdp | grep prefix
