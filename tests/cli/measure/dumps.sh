#!/bin/sh
# gate and diff of the dumps that a measurement keeps say the same as the measurement, and so does gate of their baselines.
first_line() { sed -n 's/^\(failed\|passed\|cannot tell\): .*/&/p' "$1" | head -n 1; }
n_same=0
compare() {
    rm -rf dumps processes
    etinspect measure --base "act-as-model {} $1" --new "act-as-model {} $2" --seed "$3" --warmup 0 --pairs "$4" \
        --output_dir dumps >measured
    measured=$?
    first_line measured >expected
    etinspect gate --base dumps/base-*.etdp --new dumps/new-*.etdp >gated
    gated=$?
    first_line gated >found
    for side in base new; do etinspect baseline save $side.csv dumps/$side-*.etdp; done
    etinspect gate base.csv new.csv >saved
    echo "$measured $gated $?: $(cut -d : -f 1 expected)"
    if cmp -s expected found && [ -s expected ]; then n_same=$((n_same + 1)); fi
    first_line saved | cmp - expected
}
compare '' '' 1 20
compare '' '3=1.3' 2 20
compare 'level=0.2' 'level=0.2' 3 16
compare 'level=0.1 scatter=0.05' 'level=0.1 scatter=0.05 0=1.1 1=1.1 2=1.1' 4 6
compare '' '0=0.7 1=0.7 2=0.7 3=0.7 4=0.7 5=0.7 6=0.7 7=0.7' 5 8
echo "$n_same of 5"
grep -c ',pair=' base.csv
