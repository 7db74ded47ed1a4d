# OpenMetrics: names are escaped, times are seconds, and labels have names that Prometheus takes.
# shellcheck disable=SC2086 # files and their options
make-etdump dump.etdp <<'JSON'
{"run_data": [
  {"name": "Execute", "events": [
    {"profile_event": {"name": "native_call_a\"b\\c\nd{e}=#,", "instruction_id": 0, "start_time": 0, "end_time": 1500}},
    {"profile_event": {"name": "native_call_plain.out", "instruction_id": 1, "start_time": 1500, "end_time": 2000}},
    {"profile_event": {"name": "Method::execute", "start_time": 0, "end_time": 2500}}]},
  {"name": "Execute", "events": [
    {"profile_event": {"name": "native_call_a\"b\\c\nd{e}=#,", "instruction_id": 0, "start_time": 3000, "end_time": 5000}},
    {"profile_event": {"name": "native_call_plain.out", "instruction_id": 1, "start_time": 5000, "end_time": 5500}},
    {"profile_event": {"name": "Method::execute", "start_time": 3000, "end_time": 6500}}]}]}
JSON
etinspect summary --format openmetrics --skip_first 0 dump.etdp
etinspect summary --format openmetrics --table operators --label 'device=pix"el' --label op=mine --label a.b=1 --label a-b=2 --label __x=3 dump.etdp
etinspect summary --table backends --target_time_scale s -o a.prom dump.etdp
cat a.prom
etinspect summary --target_time_scale cycles --source_time_scale cycles --table layers -f openmetrics dump.etdp | grep '^# UNIT'
refused etinspect rows -f openmetrics dump.etdp
refused etinspect summary -f openmetrics -o a.csv dump.etdp

# Rows of one name have their number in the table, whichever rows and columns are chosen. The first of two has no cv.
files='testdata/xnnpack-conv/run.etdp testdata/xnnpack-conv/record.etrecord'
etinspect $files -f openmetrics --columns p90,cv --filter 'event_name == "Transpose (ND, X32) #2"'
etinspect $files -f openmetrics --columns cv --filter 'event_name == "Transpose (ND, X32) #2" and cv > 1'
etinspect summary --table layers --columns p50,source --top 1 -f openmetrics $files
etinspect summary --table layers --columns layer -f openmetrics $files

# Verdicts and sentences are no labels.
labels() {
    etinspect "$@" -f openmetrics | grep -v '^#' | sed -E 's/="[^"]*"//g' | sed -nE 's/^etinspect_([a-z]+)_.*\{(.*)\}.*/\1 \2/p' | sort -u
}
labels diff data/changes/base.etdp data/changes/inserted.etdp
labels gate data/changes/base.etdp data/changes/inserted.etdp --fail-on 'p50>+5%'
labels diff testdata/mlp/model.pte testdata/transformer/model.pte
