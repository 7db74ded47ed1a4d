#!/bin/sh
# The note behind an ETDump, which says on which clock its times are; other readers ignore it.
tour=$(dirname "$(readlink testdata)")/doc/tour

# add_note JSON LENGTH FILE: appends a note, whose length is given as octal bytes
add_note() {
    cp "$tour/model.etdp" "$3"
    # shellcheck disable=SC2059 # the length is an escape sequence
    { printf '%s' "$1"; printf "$2"; printf etinote1; } >>"$3"
}
cp "$tour/model.etdp" plain.etdp
add_note '{"version":1,"clock":"wall"}' '\034\0\0\0' wall.etdp
add_note '{"version":1,"clock":"cpu","unknown":[{}]}' '\052\0\0\0' cpu.etdp
add_note '{"version":1,"clock":' '\025\0\0\0' cut.etdp
add_note '{"version":1,"clock":"cpu"}' '\0\050\153\356' long.etdp
add_note '{"clock":"cpu"}' '\377\377\0\0' beyond.etdp
add_note '{"clock":"a clock"}' '\023\0\0\0' name.etdp
sum=$(sha256sum <"$tour/model.pte")
add_note "{\"program_sha256\":\"${sum%% *}\"}" '\125\0\0\0' program.etdp

# The Inspector's table and files are those of the ETDump alone.
for file in wall cpu cut long beyond name program; do
    for format in table tsv csv; do
        etinspect --format $format plain.etdp >expected
        etinspect --format $format $file.etdp | cmp - expected
    done
done
# A row of the first table, and a label for programs, unless the user gives one.
for file in plain wall cpu cut; do
    show etinspect summary --table facts --filter 'fact == "clock"' --format csv $file.etdp
    etinspect runs --format json $file.etdp | grep -o '"labels": *{[^}]*}'
done
etinspect runs --format json --label clock=mine cpu.etdp | grep -o '"labels": *{[^}]*}'
etinspect summary --table facts --filter 'fact == "clock"' --format csv wall.etdp cpu.etdp 2>&1
# Notes that cannot be read.
for file in wall cpu cut long beyond name; do
    etinspect check $file.etdp >found
    echo "$file: exit $?"
    grep 'the note' found
done
# Two clocks are unlike, also within a side and with a baseline; without a note, times are elapsed times.
etinspect diff plain.etdp wall.etdp >/dev/null
echo "exit $?"
refused etinspect diff wall.etdp cpu.etdp
refused etinspect diff plain.etdp cpu.etdp
refused etinspect diff --base plain.etdp --base cpu.etdp --new wall.etdp
etinspect diff --allow_unlike plain.etdp cpu.etdp >/dev/null
echo "exit $?"
etinspect diff cpu.etdp cpu.etdp 2>/dev/null >/dev/null
echo "exit $?"
etinspect baseline save cpu.csv cpu.etdp
grep '^label' cpu.csv
refused etinspect gate --base cpu.csv --new plain.etdp
refused etinspect trend plain.etdp cpu.etdp
# The program that ran is known by its bytes.
# shellcheck disable=SC2069 # only standard error is shown
etinspect layers --format csv program.etdp "$tour/model.pte" 2>&1 >/dev/null
cp "$tour/model.pte" other.pte
printf ' ' >>other.pte
# shellcheck disable=SC2069 # only standard error is shown
etinspect layers --format csv program.etdp other.pte 2>&1 >/dev/null
