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
