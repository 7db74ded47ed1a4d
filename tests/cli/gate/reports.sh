#!/bin/sh
# Several reports of one gate; no reader executes names in a dump as commands.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
make-etdump bad.etdp <<'END'
{"run_data": [
 {"name": "E\n::error::x", "events": [{"profile_event": {"name": "a]]><b>&\"'\u0001\n::set-env name=x::y\n##[error]z", "start_time": 1000, "end_time": 101000}}]},
 {"name": "E\n::error::x", "events": [{"profile_event": {"name": "a]]><b>&\"'\u0001\n::set-env name=x::y\n##[error]z", "start_time": 1000, "end_time": 101001}}]}
]}
END
GITHUB_STEP_SUMMARY=summary.md
export GITHUB_STEP_SUMMARY
printf 'before\n' >summary.md
show etinspect gate bad.etdp bad.etdp --fail_on 'p50>1us' --github --output text.txt --report junit=gate.xml --report json=gate.json \
    --report ndjson=gate.ndjson --report benchmark=benchmark.json --report codequality=quality.json --report markdown=gate.md
cat summary.md
xmllint --noout --schema "$SCHEMA/junit.xsd" gate.xml 2>&1
python3 - <<'END'
import json
import xml.etree.ElementTree as xml

case = xml.parse("gate.xml").getroot().find(".//testcase")
print(case.get("name").encode())
print(len(json.load(open("benchmark.json"))), json.load(open("gate.json"))["view"])
for issue in json.load(open("quality.json")):
    print(issue["severity"], issue["location"], ascii(issue["description"]))
END
cmp gate.md summary.md >/dev/null || tail -n +2 summary.md | cmp - gate.md
# On standard output no line of the report is a command.
etinspect gate bad.etdp bad.etdp --fail_on 'p50>1us' --github >printed.txt
echo "exit $?"
grep -c '^::stop-commands::' printed.txt
sed -n '1p;$p' printed.txt | sed 's/[0-9a-f]\{32\}/TOKEN/'
refused etinspect gate bad.etdp bad.etdp --report junit
refused etinspect gate bad.etdp bad.etdp --report junit=bad.etdp
printf '%s\n' what,metric,limit total,p50,1s >budget.csv
printf '%s\n' pattern,reason x,y >allow.csv
refused etinspect gate bad.etdp bad.etdp --budget budget.csv --report json=budget.csv
refused etinspect gate bad.etdp bad.etdp --allow allow.csv --output allow.csv
GITHUB_STEP_SUMMARY=allow.csv etinspect gate bad.etdp bad.etdp --fail_on 'p50>1us' --allow allow.csv --github 2>&1
{ GITHUB_STEP_SUMMARY=/dev/full etinspect gate bad.etdp bad.etdp --fail_on 'p50>1us' --github --output /dev/null >github.txt; } 2>&1
GITHUB_STEP_SUMMARY=/dev/null etinspect gate bad.etdp bad.etdp --fail_on 'p50>1us' --github --output /dev/null >github.txt
echo "exit $?"
cat budget.csv allow.csv
: >summary.md
{ ASAN_OPTIONS=detect_leaks=0 etinspect gate bad.etdp bad.etdp --fail_on 'p50>1us' --github --sandbox >github.txt; } 2>&1
echo "exit $?"
[ -s summary.md ] && echo "a summary out of the sandbox"
refused etinspect gate - bad.etdp --budget - <budget.csv
refused etinspect gate bad.etdp bad.etdp --report xml=gate.xml
refused etinspect testdata/mlp/run.etdp testdata/mlp/record.etrecord --format junit
run=testdata/mlp/run.etdp
GITHUB_STEP_SUMMARY=missing/summary.md etinspect gate $run $run --fail_on 'p50>1s' --github --output text.txt 2>&1
echo "exit $?"
# A page is about the new side.
etinspect gate data/changes/base.etdp data/changes/inserted.etdp --fail_on 'total:p50>1s' --format html >page.html
grep -o '<title>.*</title>' page.html
