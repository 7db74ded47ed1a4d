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
# Debug buffers are found, too: automatically if there is one, otherwise by name.
etinspect check uart.log >found
etinspect check $mlp/run.etdp --debug_buffer_path $mlp/debug_buffer.bin | tail -n +2 >expected
tail -n +2 found | cmp - expected
etinspect check $mlp/run.etdp --debug_buffer_path uart.log | tail -n +2 | cmp - expected
# Two boots make two dumps of the same program.
{ print; print; } >twice.log
etinspect twice.log >found
etinspect $mlp/run.etdp $mlp/run.etdp | cmp - found
# A logger puts a time and other numbers before each line.
sed 's/^/I (0) runner: /' uart.log | awk '{ sub(/\(0\)/, "(" 7 * NR ")"); print }' >prefixed.log
etinspect prefixed.log | cmp - $mlp/etdump-only.txt
etinspect check prefixed.log | tail -n +2 >found
etinspect check $mlp/run.etdp --debug_buffer_path $mlp/debug_buffer.bin | tail -n +2 | cmp - found
sed '9s/^/W (99) wifi: lost\n/' prefixed.log >mixed.log
refused etinspect mixed.log
head -c 3000 uart.log >cut.log
refused etinspect cut.log
sed 's/AAAA/AA?A/' uart.log >garbled.log
refused etinspect garbled.log
# libetcapture also prints the size and the CRC-32, and the number of lost events.
check() { sed "s/^#\[END]/# etcapture bytes=$1 crc32=$2 lost=$3\r\n&/" uart.log >checked.log; }
size=$(wc -c <$mlp/run.etdp)
crc=$(gzip -c $mlp/run.etdp | tail -c 8 | od -A n -t x4 -N 4 | tr -d ' ')
buffer=" debug_bytes=$(wc -c <$mlp/debug_buffer.bin) debug_crc32=$(gzip -c $mlp/debug_buffer.bin | tail -c 8 | od -A n -t x4 -N 4 | tr -d ' ')"
check "$size" "$crc" "0$buffer"
etinspect checked.log | cmp - $mlp/etdump-only.txt
check "$size" "$crc" "7$buffer"
etinspect check checked.log | grep lost
check $((size + 3)) "$crc" "0$buffer"
refused etinspect checked.log
check "$size" 01234567 "0$buffer"
refused etinspect checked.log
check "$size" "$crc" "0 deb"
refused etinspect checked.log
refused etinspect $mlp/run.etdp --etrecord_path uart.log
# A log is an input: it is not overwritten, compressed or not.
cp uart.log kept.log
refused etinspect baseline save kept.log $mlp/run.etdp
cmp kept.log uart.log
gzip -n <uart.log >kept.log.gz
refused etinspect baseline save kept.log.gz $mlp/run.etdp
refused etinspect gate uart.log uart.log --budget uart.log
