#!/bin/sh
# Reports are those of gate, with a table about the measurement, and labels of the machine.
measure() {
    rm -f processes
    etinspect measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --seed 1 "$@"
}
measure --format json --output plain.json
measure --format json --output gate.json --fail_on 'op:p50>+5%' --report junit=gate.xml --report markdown=gate.md
echo "exit $?"
python3 - <<'END'
import json
for name in "plain", "gate":
    report = json.load(open(name + ".json"))
    print(report["view"], [source["path"] for source in report["sources"]][::6])
    print(report["tables"]["measurement"], "processors" in report["labels"])
END
grep -c '<failure' gate.xml
# Rules and exceptions come from files, too.
printf 'what,metric,limit\nop,p50,+5%%\n' >budget.csv
printf 'pattern,reason\nnative_call_op_3.out,on purpose\n' >allow.csv
measure --budget budget.csv >report
echo "exit $?"
measure --budget budget.csv --allow allow.csv >report
echo "exit $?"
# Databases have the table, too.
measure --format sqlite --output report.sqlite
sqlite3 report.sqlite "SELECT key FROM labels WHERE key = 'processors'; SELECT pairs, seed, stopped FROM measurement"
# With --github, the report is appended to the summary of the step, as Markdown; without it, nothing is written there, nor by
# record, which has no such option.
tour=$(dirname "$(readlink testdata)")/doc/tour
export GITHUB_STEP_SUMMARY=summary.md
cp "$tour/model.pte" .
etinspect record --command "cp $tour/model.etdp {}" model.pte >summary 2>&1 || cat summary
refused etinspect record --command 'cp x {}' --github model.pte
measure --budget budget.csv >report
[ ! -e summary.md ] || echo "BUT there is a summary"
echo 'a line of an earlier step' >summary.md
measure --budget budget.csv --github >report
echo "exit $?"
head -n 2 summary.md
measure --budget budget.csv --report markdown=report.md >report
# Labels, which come last, say how busy the machine is.
{ echo "a line of an earlier step" && cat report.md; } | head -n 20 >expected.md
head -n 20 summary.md | cmp expected.md -
