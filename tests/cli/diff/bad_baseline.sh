# A damaged or foreign baseline is rejected, and the record is named.
head='etinspect-baseline,4,samples
time_scale,ns
file,a,,
'
block='block,Execute,,2,0
'
bad() { # adds the last record
    printf '%b' "$1" >bad.csv
    printf 'end,%d\n' "$(wc -l <bad.csv)" >>bad.csv
    refused etinspect baseline show bad.csv
}
bad_as_it_is() {
    printf '%b' "$1" >bad.csv
    refused etinspect baseline show bad.csv
}
bad_as_it_is 'etinspect-baseline,\n'
bad_as_it_is 'etinspect-baseline,4\n'
bad_as_it_is 'etinspect-baseline,4\ntime_scale,ns\nend,1\n'
bad_as_it_is 'etinspect-baseline,4\ntime_scale,ns\nend,x\n'
bad 'etinspect-baseline,4,summary\n'
bad 'etinspect-baseline,4\n'
bad "$head"
bad "etinspect-baseline,4\nfile,a,,\n$block"
bad "etinspect-baseline,4\ntime_scale,minutes\n"
bad "etinspect-baseline,4\ntime_scale,cycles\n"
bad "etinspect-baseline,4\ntime_scale,cycles,-1\n"
bad "${head}time_scale,ns\n"
bad "${head}label,,x\n"
bad "${head}label,a,1\nlabel,a,2\n${block}kernel,a,,,,,,,,,,1;2\n"
bad "${head}kernel,a,,,,,,,,,,1;2\n"
bad "${head}$block"
bad "${head}block,Execute,,0,0\n"
bad "${head}block,Execute,,99999999999,0\n"
bad "${head}${block}nothing,a,,,,,,,,,,1;2\n"
bad "${head}${block}kernel,a,,,,,,,,,,1\n"
bad "${head}${block}kernel,a,,,,,,,,,,1;2;3\n"
bad "${head}${block}kernel,a,,,,,,,,,,1;x\n"
bad "${head}${block}kernel,a,,,,,,,,,,1;-2\n"
bad "${head}${block}kernel,a,,,,,,,,,,1;18446744073709551616\n"
bad "${head}${block}kernel,a,,,,,,,,x,,1;2\n"
bad "${head}${block}kernel,a\n"
bad "${head}${block}kernel,a,,,,,,,,,,1;2\nexecute,a,,,,,,,,,,1;2\n"
bad "${head}${block}framework,a,,,,,,,,,,1;2\nexecute,a,,,,,,,,,,1;2\n"
bad_as_it_is "${head}${block}kernel,\"a"
bad "${head}${block}kernel,a\"b,,,,,,,,,,1;2\n"
refused etinspect baseline
refused etinspect baseline keep x
refused etinspect baseline save
refused etinspect baseline save out.csv
refused etinspect baseline save testdata/mlp/run.etdp testdata/mlp/run.etdp
refused etinspect bad.csv
echo '== without samples'
head='etinspect-baseline,4
time_scale,ns
'
bad "${head}block,Execute,,2,0\n"
bad "${head}file,a,x\n"
bad "${head}file,a,,\nfile,b,,\nblock,Execute,,2,0;0\n"
bad "${head}file,a,,\nfile,b,,\nblock,Execute,,2;,0;\nkernel,a,,a,,,,,,,,1,1;1,1;1,1;1,1;1,1;1,1;1,1;1,1;1\n"
echo '== of other versions, which nothing is appended to'
for version in 0 1 1,summary 2 2,samples 3 5 4294967295; do
    bad_as_it_is "etinspect-baseline,$version\ntime_scale,ns\n${block}kernel,a,,,,,,,,,1;2\n"
    cp bad.csv kept.csv
    etinspect baseline save --append bad.csv testdata/mlp/run.etdp 2>message && echo 'appended to it'
    cmp bad.csv kept.csv
done
cat message
echo '== the largest number of ticks'
printf 'time_scale,ns\n%bkernel,a,,,,,,,,,0;18446744073709551615\n' "$block" | baseline good.csv
etinspect diff good.csv good.csv --all --format json | grep -Eo '"(event_name|base|new|change|delta|low)": [^,]*'
