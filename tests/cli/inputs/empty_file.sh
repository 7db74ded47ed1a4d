#!/bin/sh
# A runtime without an event tracer leaves an empty file behind.
: >empty.etdp
refused etinspect empty.etdp
refused etinspect --etdump_path empty.etdp
refused etinspect testdata/mlp/run.etdp --etrecord_path empty.etdp
refused etinspect /dev/null
# Commands about programs expect a program; an ETRecord beside it may be the empty file, too.
refused etinspect size empty.etdp
refused etinspect memory testdata/mlp/model.pte empty.etdp
refused etinspect program empty.etdp
echo text >note.txt
refused etinspect size note.txt
refused etinspect summary testdata/mlp/run.etdp empty.etdp
refused etinspect diff testdata/mlp/run.etdp empty.etdp
