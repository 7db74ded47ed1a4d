#!/bin/sh
# diff exits with 0 whatever changed; with --exit_code, as gate does.
SEED=1 history 6 | baseline base.csv
SEED=2 history 6 >same
baseline same.csv <same
slower native_call_addmm.out 2 <same | baseline slow.csv
SEED=3 history 1 | baseline one.csv
for new in same slow one; do
    etinspect diff base.csv $new.csv >/dev/null
    plain=$?
    etinspect diff base.csv $new.csv --exit_code >/dev/null
    code=$?
    etinspect diff base.csv $new.csv --exit_code --failed_status 3 --undecided_status 9 >/dev/null
    mapped=$?
    etinspect gate base.csv $new.csv >/dev/null
    echo "$new: $plain $code $mapped, gate $?"
done
refused etinspect diff base.csv slow.csv --failed_status 0
etinspect diff base.csv missing.csv --error_status 77 2>/dev/null
echo "exit $?"

# Sides that do not pass in gate do not pass here: nothing is compared, the sides share less than half of their time, or only the base
# has a block.
grep -v kernel same | baseline total_only.csv
SEED=3 history 6 | grep -v kernel | baseline total_alone.csv
grep -v 'execute,' same | baseline no_total.csv
sed 's/native_call_conv/conv_2/; s/native_call_addmm/addmm_2/' same | baseline half.csv
sed 's/native_call_conv/conv_2/' same | baseline third.csv
SEED=3 history 6 | grep -v '^time_scale\|^columns' | sed 's/^block,Execute/block,Other/' | cat same - | baseline two_blocks.csv
for sides in total_only.csv:total_alone.csv base.csv:total_only.csv base.csv:no_total.csv base.csv:half.csv base.csv:third.csv two_blocks.csv:base.csv; do
    echo "== $sides"
    for options in '' --allow_unlike; do
        # shellcheck disable=SC2086 # no option is no word
        etinspect diff "${sides%:*}" "${sides#*:}" --exit_code $options >printed
        code=$?
        # shellcheck disable=SC2086
        etinspect gate "${sides%:*}" "${sides#*:}" $options >/dev/null
        echo "diff $code, gate $?: $(grep -m 1 '^cannot tell\|^nothing slower' printed)"
    done
done
