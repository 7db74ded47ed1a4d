#!/bin/sh
# etinspect measure with programs, which a runner plays: its dumps have the times of act-as-model, and its outputs are given.
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.pte" base.pte
cp "$tour/model.pte" new.pte
# A program may have anything behind its last segment; it lets the runner see which side it is.
printf 'new' >>new.pte
unset VIRTUAL_ENV
cat >runner <<'RUNNER'
#!/bin/sh
here=$(dirname "$0")
for flag; do
    case $flag in
    --etdump_path=*) etdump=${flag#*=} ;;
    --output_file=*) cp "$here/$(tail -c 3 model.pte | grep -q new && echo new || echo base).bin" "${flag#*=}-0.bin" ;;
    esac
done
echo "$*" >>"$here/log"
etdump=$PWD/$etdump
cd "$here" && ./model "$etdump"
RUNNER
# shellcheck disable=SC2016 # the script expands it
printf '#!/bin/sh\nexec "%s" "$1"\n' "$(command -v act-as-model)" >model
chmod +x runner model
measure() {
    rm -f log
    etinspect measure --runner ./runner --base base.pte --new new.pte --seed 1 --pairs 6 "$@" >out 2>err
    status=$?
    cat err
    grep -E '^(inputs|outputs)' out
    # Of the outcomes without a failed check, times decide.
    [ $status = 6 ] || [ $status = 0 ] || echo "exit $status"
}
# Ten floats, 0 to 9; then 9 becomes 9.5.
python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<10f", *range(10)))' >base.bin
cp base.bin new.bin
measure
sed 's/ --output_file=out//' log | sort | uniq -c | sed 's/^ *//'
grep -c output_file log
python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<10f", *range(9), 9.5))' >new.bin
measure
measure --output_tolerance 6%
measure --output_tolerance 5%
# Sentence, reports and exit status have one verdict, also with a status that is mapped.
verdicts() {
    etinspect measure --runner ./runner --base base.pte --new new.pte --seed 1 --pairs 6 "$@" --report junit=verdict.xml --report json=verdict.json >out 2>err
    echo "exit $?"
    cat err
    sed -n 's/; times: .*/; times: .../; /^failed:/p' out
    grep -A 3 'testcase name="output' verdict.xml
    grep -o '"verdict": "failed"\|"rule": "output[^,]*\|"sentence": "failed' verdict.json | sort | uniq -c | sed 's/^ *//'
}
verdicts --output_tolerance 5%
verdicts --output_tolerance 5% --failed_status 0
verdicts --output_tolerance 6% | grep -v ^exit
verdicts --output_tolerance 5% --github | grep '^::error'
# NaN is equal to NaN.
python3 -c 'import math, struct, sys; sys.stdout.buffer.write(struct.pack("<10f", *range(9), math.nan))' >base.bin
cp base.bin new.bin
measure
etinspect measure --runner ./runner --base base.pte --new new.pte --seed 1 --pairs 6 --format json 2>/dev/null | grep -o '"\(clock\|inputs\|outputs\)": *"[a-z]*"'
# Wrong use.
refused etinspect measure --runner ./runner --base base.pte --new 'x {}'
refused etinspect measure --runner ./runner --base base.pte --new testdata/mlp/model.pte
refused etinspect measure --runner ./runner --base base.pte --new new.pte --shell
refused etinspect measure --runner ./runner --base 'x {}' --new 'y {}'
refused etinspect measure --base 'x {}' --new 'y {}' --output_tolerance 1%
refused etinspect measure --runner ./runner --new new.pte --output_tolerance 1%
refused etinspect measure --runner ./missing --base base.pte --new new.pte
