# Statistics and metrics are the same to the last bit on any number of threads, for many tensors and for one large tensor.
# The content is arbitrary, and some elements are not finite.
{ head -c 64 /dev/zero && cat testdata/*/record.etrecord testdata/*/run.etdp; } >some.bin
while [ "$(wc -c <some.bin)" -lt 12000000 ]; do
    cat some.bin some.bin >more.bin
    mv more.bin some.bin
done
head -c 12000000 some.bin >buffer
# Changes every second megabyte, so that some tensors stay equal.
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    tail -c "+$((i * 1000000 + 1))" buffer | head -c 1000000 |
        if [ $((i % 2)) = 0 ]; then tr '\001-\100' '\002-\101'; else cat; fi
done >changed
awk 'function add(type, sizes, strides, offset,    tensor) {
    tensor = sprintf("{\"scalar_type\":\"%s\",\"sizes\":[%s],\"strides\":[%s],\"offset\":%d}", type, sizes, strides, offset)
    events = events (n > 0 ? "," : "") sprintf("{\"debug_event\":{\"name\":\"native_call_x.out\",\"instruction_id\":%d,\"debug_entry\":{\"val\":\"Tensor\",\"tensor\":%s}}}", n, tensor)
    events = events sprintf(",{\"profile_event\":{\"name\":\"native_call_x.out\",\"instruction_id\":%d,\"start_time\":%d,\"end_time\":%d}}", n, n * 10, n * 10 + 5)
    n++
}
BEGIN {
    add("FLOAT", "1500001", "1", 16)
    add("DOUBLE", "1300,1001", "1,1300", 64)
    add("BYTE", "3000000", "1", 5000000)
    for (i = 0; i < 30; i++)
        add("FLOAT", "100,997", "997,1", 398800 * i)
    print "{\"run_data\":[{\"name\":\"Execute\",\"events\":[" events "]}]}"
}' | make-etdump run.etdp
for threads in 1 2 3 16; do
    etinspect tensors run.etdp --debug_buffer_path buffer --columns all --format tsv --threads $threads >"tensors.$threads" || echo "exit status $?"
    etinspect numerics run.etdp run.etdp --debug_buffer_path buffer --debug_buffer_path changed --match instruction --columns all \
        --format tsv --threads $threads >"numerics.$threads" || echo "exit status $?"
    cmp tensors.1 "tensors.$threads" && cmp numerics.1 "numerics.$threads" && echo "$threads: same"
done
cut -f 3,6,7 tensors.1 | head -n 5
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
NR > 1 { same += $at["identical"] == "True"; odd += $at["nan_new"] > 0 }
END { print NR - 1 " compared:", (same > 3 ? "several are the same," : same), (odd > 3 ? "several have NaN" : odd) }' numerics.1
