# GitLab's code quality report: of a check that fails, at the line of the model; of one that is allowed; of an undecided rule.
# shellcheck disable=SC2086 # two files
for python in python3 /usr/bin/python3 ''; do # Debian's package is of Debian's Python
    $python -c 'import jsonschema' 2>/dev/null && break
done
[ -n "$python" ] || { echo "there is no python3-jsonschema"; exit 77; }
mlp='testdata/mlp-many-runs/run.etdp testdata/mlp-many-runs/record.etrecord'
printf '%s\n' pattern,reason '*addmm*,wide enough' >allow.csv
etinspect gate --new $mlp --fail_on 'op:p50>0.4us' --allow allow.csv --source_map /tmp/etinspect-models=models --format codequality |
    tee failed.json
etinspect gate data/changes/base.etdp data/changes/inserted.etdp --fail_on 'total:p50>+5%' -f codequality | tee undecided.json
etinspect gate --new $mlp --fail_on 'op:p50>0.4us' --failed_status 0 --report codequality=allowed.json >/dev/null
echo "exit $?"
etinspect gate --new $mlp --fail_on 'op:p50>1s' -f codequality | tee passed.json
"$python" - <<'END'
import json, os, jsonschema

validator = jsonschema.Draft202012Validator(json.load(open(os.environ["SCHEMA"] + "/codequality.schema.json")))
validator.check_schema(validator.schema)
for name in "failed", "undecided", "allowed", "passed":
    issues = json.load(open(f"{name}.json"))
    validator.validate(issues)
    print(name, sorted({issue["severity"] for issue in issues}), len({issue["fingerprint"] for issue in issues}) == len(issues))
issue = {"description": "d", "check_name": "c", "fingerprint": "0" * 32, "severity": "major", "location": {"path": "a.py", "lines": {"begin": 1}}}
print(validator.is_valid([issue]), validator.is_valid([{**issue, "severity": "high"}]), validator.is_valid([{**issue, "location": {"path": "a.py"}}]))
END
