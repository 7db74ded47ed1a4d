#!/bin/sh
# The runner for Arm boards has no file system: it prints its ETDump and debug buffer in base64 on the serial line.
mlp=testdata/mlp
print() {
    echo "I [executorch:arm_executor_runner.cpp:411] Model run: 1"
    echo "#[RUN THIS]"
    echo "# Writing debug_buffer.bin [base64]"
    echo "echo \"$(base64 -w 0 $mlp/debug_buffer.bin)\" | base64 -d >debug_buffer.bin"
    echo "# Writing etdump.bin [base64]"
    echo "echo \"$(base64 -w 76 $mlp/run.etdp)\" | base64 -d >etdump.bin"
    echo "# Generate cpu cycle table with:"
    echo "python3 -m devtools.inspector.inspector_cli --etdump_path etdump.bin"
    echo "#[END]"
}
print | sed 's/$/\r/' >uart.log
etinspect uart.log | cmp - $mlp/etdump-only.txt
etinspect --etdump_path uart.log --etrecord_path $mlp/record.etrecord | cmp - $mlp/table.txt
etinspect - $mlp/record.etrecord <uart.log | cmp - $mlp/table.txt
test ! -e etdump.bin
# Debug buffers are found as well: by themselves, where there is one, or by name.
etinspect check uart.log >found
etinspect check $mlp/run.etdp --debug_buffer_path $mlp/debug_buffer.bin | tail -n +2 >expected
tail -n +2 found | cmp - expected
etinspect check $mlp/run.etdp --debug_buffer_path uart.log | tail -n +2 | cmp - expected
# Two boots are two dumps of the same program.
{ print; print; } >twice.log
etinspect twice.log >found
etinspect $mlp/run.etdp $mlp/run.etdp | cmp - found
head -c 3000 uart.log >cut.log
refused etinspect cut.log
sed 's/AAAA/AA?A/' uart.log >garbled.log
refused etinspect garbled.log
refused etinspect $mlp/run.etdp --etrecord_path uart.log
