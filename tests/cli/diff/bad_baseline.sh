# A damaged or foreign baseline is rejected, and the record is named.
head='etinspect-baseline,1
time_scale,ns
'
block='block,Execute,,2,0
'
bad() {
    printf '%b' "$1" >bad.csv
    refused etinspect baseline show bad.csv
}
bad 'etinspect-baseline,\n'
bad 'etinspect-baseline,2\n'
bad 'etinspect-baseline,3\n'
bad 'etinspect-baseline,4\n'
bad 'etinspect-baseline,3\ntime_scale,ns\nend,1\n'
bad 'etinspect-baseline,3\ntime_scale,ns\nend,x\n'
bad 'etinspect-baseline,0\n'
bad 'etinspect-baseline,2,summary\n'
bad 'etinspect-baseline,1,other\n'
bad 'etinspect-baseline,1\n'
bad "$head"
bad "etinspect-baseline,1\n$block"
bad "etinspect-baseline,1\ntime_scale,minutes\n"
bad "etinspect-baseline,1\ntime_scale,cycles\n"
bad "etinspect-baseline,1\ntime_scale,cycles,-1\n"
bad "${head}time_scale,ns\n"
bad "${head}label,,x\n"
bad "${head}label,a,1\nlabel,a,2\n${block}kernel,a,,,,,,,,,1;2\n"
bad "${head}kernel,a,,,,,,,,,1;2\n"
bad "${head}$block"
bad "${head}block,Execute,,0,0\n"
bad "${head}block,Execute,,99999999999,0\n"
bad "${head}${block}nothing,a,,,,,,,,,1;2\n"
bad "${head}${block}kernel,a,,,,,,,,,1\n"
bad "${head}${block}kernel,a,,,,,,,,,1;2;3\n"
bad "${head}${block}kernel,a,,,,,,,,,1;x\n"
bad "${head}${block}kernel,a,,,,,,,,,1;-2\n"
bad "${head}${block}kernel,a,,,,,,,,,1;18446744073709551616\n"
bad "${head}${block}kernel,a,,,,,,,x,,1;2\n"
bad "${head}${block}kernel,a\n"
bad "${head}${block}kernel,a,,,,,,,,,1;2\nexecute,a,,,,,,,,,1;2\n"
bad "${head}${block}framework,a,,,,,,,,,1;2\nexecute,a,,,,,,,,,1;2\n"
bad "${head}${block}kernel,\"a"
bad "${head}${block}kernel,a\"b,,,,,,,,,1;2\n"
bad "etinspect-baseline,1,summary\ntime_scale,ns\n${block}kernel,a,,,,,,,,,1;2\n"
refused etinspect baseline
refused etinspect baseline keep x
refused etinspect baseline save
refused etinspect baseline save out.csv
refused etinspect baseline save testdata/mlp/run.etdp testdata/mlp/run.etdp
refused etinspect bad.csv
echo '== of version 2'
head='etinspect-baseline,2
time_scale,ns
'
bad "${head}block,Execute,,2,0\n"
bad "${head}file,a,x\n"
bad "${head}file,a,,\nfile,b,,\nblock,Execute,,2,0;0\n"
bad "${head}file,a,,\nfile,b,,\nblock,Execute,,2;,0;\nkernel,a,,a,,,,,,,,1,1;1,1;1,1;1,1;1,1;1,1;1\n"
head='etinspect-baseline,1
time_scale,ns
'
echo '== the largest number of ticks'
printf '%b' "${head}${block}kernel,a,,,,,,,,,0;18446744073709551615\n" >good.csv
etinspect diff good.csv good.csv --all --format json | grep -Eo '"(event_name|base|new|ratio|delta|low)": [^,]*'
