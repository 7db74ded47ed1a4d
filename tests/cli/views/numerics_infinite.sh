# Infinities: those that both sides have do not hide the difference of other elements, others make it infinite, and a
# metric that is missing does not pass.
make() { # NAME BYTES: a run that recorded four floats
    # shellcheck disable=SC2059 # the bytes are written as escapes
    printf "$2" >"$1.bin"
    echo "{run_data: [{name: 'Execute', events: [{profile_event: {name: 'op', instruction_id: 1, end_time: 5000}},
        {debug_event: {instruction_id: 1, name: 'op', debug_entry: {val: Tensor, tensor: {scalar_type: FLOAT, sizes: [4],
        strides: [1]}}}}]}]}" | make-etdump "$1.etdp"
}
infinity='\0\0\200\177' one='\0\0\200\77' two='\0\0\0\100' nan='\0\0\300\177' zero='\0\0\0\0'
make base "$infinity$one$two$two"
make same "$infinity$one$two$two"
make wrong "$infinity$two$two$one"
make finite "$one$one$two$two"
make all "$infinity$infinity$nan$nan"
make one "$one$infinity$nan$nan"
make zeros "$zero$zero$zero$zero"
make nans "$nan$nan$nan$nan"
compare() { # BASE NEW OPTION...
    base=$1 new=$2
    shift 2
    etinspect numerics "$base.etdp" "$new.etdp" --debug_buffer_path "$base.bin" --debug_buffer_path "$new.bin" --match instruction "$@"
    echo "exit status $?"
}
columns="--columns event_name,status,snr,mse,l1,max_abs,cosine,pairs,inf_base,inf_new"
# shellcheck disable=SC2086 # several words
{
    for new in same wrong finite; do
        compare base $new $columns
    done
    compare base wrong --fail_on 'snr < 60' --min_compared 1 $columns
    compare base wrong --fail_on 'mse > 0.1' --fail_on 'l1 > 1' $columns
    compare base same --fail_on 'snr < 60' --fail_on 'mse > 0' $columns
    compare base finite --fail_on 'snr < 60' $columns
    # There is no pair of finite elements, or no ETRecord.
    compare all one --fail_on 'max_abs > 1' $columns
    compare all one --fail_on 'not max_abs < 1' $columns
    compare all one --fail_on 'max_abs > 1 and output > 0' $columns
    compare base wrong --fail_on 'snr_drop > 30' $columns
    compare base wrong --fail_on 'snr_drop > 30' --fail_on 'snr < 10' $columns
    compare base wrong --fail_on 'snr_drop > 30 and snr_drop is not none' $columns
    # Outputs that do not differ pass, whatever is missing.
    compare base same --fail_on 'snr_drop > 30' $columns
    compare zeros zeros --fail_on 'cosine < 0.9' --fail_on 'snr < 60' $columns
    compare zeros base --fail_on 'cosine < 0.9' $columns
    # A NaN in place of a NaN is no difference, in place of a zero it is.
    compare nans nans --fail_on 'max_abs > 1' $columns
    compare zeros nans --fail_on 'max_abs > 1' $columns
    # In JSON, the best value, the worst and the missing one differ, and a NaN of the Inspector's is no missing value.
    for format in json ndjson; do
        for new in same wrong finite; do
            compare base $new --columns snr,mse,psnr -f $format --no_sha256 | sed -n '/"snr"/s/, "provenance.*//p'
        done
        compare base wrong --metric mse --columns gap -f $format --no_sha256 | sed -n '/"gap"/s/, "provenance.*//p'
    done
} 2>&1
