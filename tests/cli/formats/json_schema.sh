# The JSON of every profile conforms to the schema.
for python in python3 /usr/bin/python3 ''; do # Debian's package is of Debian's Python
    $python -c 'import jsonschema' 2>/dev/null && break
done
[ -n "$python" ] || { echo "there is no python3-jsonschema"; exit 77; }
for case in testdata/*/; do
    [ -f "$case/run.etdp" ] || continue
    for record in '' record.etrecord; do
        if [ -f "$case/run.etdp" ] && [ -f "$case/$record" ] || [ -z "$record" ]; then
            etinspect --format json --label a=b "$case/run.etdp" ${record:+"$case/$record"} 2>/dev/null || echo "$case"
        fi
    done
done | "$python" -c '
import json, os, sys, jsonschema
validator = jsonschema.Draft202012Validator(json.load(open(os.environ["SCHEMA"] + "/etinspect.schema.json")))
validator.check_schema(validator.schema)
text, at, n = sys.stdin.read(), 0, 0
while at < len(text):
    document, at = json.JSONDecoder().raw_decode(text, at)
    validator.validate(document)
    n += 1
    while at < len(text) and text[at].isspace():
        at += 1
print("at least ten:", n >= 10)
document["tables"]["events"][0]["p50"] = {}
print("no objects in cells:", not validator.is_valid(document))
'
