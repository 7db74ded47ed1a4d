# Sides whose clocks count different units are judged by their times, and are not merged.
save() { # save FILE TIME_SCALE TICKS
    printf 'time_scale,%s\nblock,E,,5,0,1;2;3;4\nexecute,t,,,,,,,,,%s\n' "$2" "$3" | baseline "$1"
}
save fast.csv cycles,100000000 '100000;101000;100000;102000;100000'
save slow.csv cycles,50000000 '100000;101000;100000;102000;100001'
save ns.csv ns '1000000;1010000;1000000;1020000;1000000'
save us.csv us '1000;1010;1000;1020;1001'
for rule in '5%' '0.5ms' '1.5ms'; do
    show etinspect gate fast.csv slow.csv --fail_on "total:p50>+$rule"
done
show etinspect gate slow.csv fast.csv --fail_on 'total:p50>+5%'
show etinspect gate ns.csv us.csv --allow_unlike --fail_on 'total:p50>+5%'
show etinspect gate ns.csv slow.csv --allow_unlike --fail_on 'total:p50>+5%'
for command in 'baseline merge out.csv' noise trend 'gate --base ns.csv --new'; do
    # shellcheck disable=SC2086
    refused etinspect $command fast.csv slow.csv
done
etinspect baseline save dump.csv --clock_hz 1GHz testdata/mlp/run.etdp
refused etinspect baseline save --append dump.csv --clock_hz 2GHz testdata/mlp-many-runs/run.etdp
# Cycles of an unknown frequency can be kept, if they are not to be converted.
refused etinspect baseline save cycles.csv --source_time_scale cycles testdata/mlp/run.etdp
etinspect baseline save cycles.csv --source_time_scale cycles --target_time_scale cycles testdata/mlp/run.etdp
sed -n 2p cycles.csv
