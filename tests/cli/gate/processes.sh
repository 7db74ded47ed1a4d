#!/bin/sh
# Real processes, with verdicts and figures that were computed by another program, which follows the same rules in Python with SciPy. In gemm-new
# and enc-addmm, the kernel of 12 of 20 operators, addmm, takes 25 % longer; enc-b and mob-b are the programs of enc-a and mob-a; in
# faster-new all times are 0.4 of what they were.
at=testdata/processes
total() { # FIELDS-IN-PERCENT
    awk -F, -v OFS=' ' 'NR == 2 { printf "%.4f %% (%.4f to %.4f), p %.6f\n", 100 * $1, 100 * $2, 100 * $3, $4 }'
}
names() {
    awk -F, 'NR > 1 && ($1 == "slower" || $1 == "faster") { n[$1 " " $2]++ } END { for (i in n) print "  " n[i] " " i }' | sort
}
verdict() { # BASE NEW [--in_turns]
    base=$at/$1.csv.gz new=$at/$2.csv.gz
    name="$*"
    shift 2
    for command in 'diff --exit_code' gate; do
        # shellcheck disable=SC2086 # a command and its option
        etinspect $command "$base" "$new" "$@" >printed
        printf '%s: %s\n' "${command% *}" $?
    done >statuses
    echo "$name: $(tr '\n' ' ' <statuses)$(sed -n 's/^\(failed\|passed\|cannot tell\): \([^;(]*\).*/\1: \2/p' printed)"
    etinspect diff "$base" "$new" "$@" --format csv --table total --columns change,low,high,p --filter 'total == "Method::execute"' | total
    etinspect diff "$base" "$new" "$@" --format csv --table events --columns verdict,op_type | names
}
# exit 1, +14.25 % (7.08 to 23.51), p 0.001197; two addmm are slower if the sides were in turns; exchanged: 6, and 0
verdict gemm-base gemm-new
verdict gemm-base gemm-new --in_turns
verdict gemm-new gemm-base
verdict gemm-new gemm-base --in_turns
# exit 0, -61.62 % (-67.22 to -60.06)
verdict faster-base faster-new
# exit 0, +1.6081 % (-2.7435 to 5.5535); exit 1, +17.8758 % (10.8417 to 42.7181), addmm and no other name; exchanged: 0, apart 6; exit 0
verdict enc-a enc-b --in_turns
verdict enc-a enc-addmm --in_turns
verdict enc-addmm enc-a --in_turns
verdict enc-addmm enc-a
verdict mob-a mob-b --in_turns
