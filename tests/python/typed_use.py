import etinspect
from etinspect.inspector import Event
from etinspect.inspector._inspector_utils import TimeScale as Scale
from etinspect import Capture, GateResult, Inspector, TimeScale, compare_results, diff, gate, rows

inspector = Inspector(etdump_path="run.etdp", etrecord="m.etrecord", source_time_scale=TimeScale.NS, clock_hz="400MHz")
for block in inspector.event_blocks:
    for event in block.events:
        if event.perf_data is not None:
            total: float = event.perf_data.avg + event.perf_data.raw[0]
names: list[str] = inspector.report("summary", top=3).columns
outcome, report = gate("a.csv", inspector, ["op:p50>+5%"])
if outcome is GateResult.FAILED:
    print(report.text(), diff("a", ["b", "c"]).failed)
with Capture("run.etdp", debug_bytes=100) as capture:
    with capture.run(), capture.span("conv", handle=3) as span:
        span.counters = {"cycles": 1}
with open("t.tsv", "w") as file:
    inspector.save_data_to_tsv(file)
for row in rows(["a.etdp"], labels={"device": "x"}).dicts():
    print(row["elapsed"])
metrics: dict[str, list[float | None]] = compare_results([1], [2], metrics=["mse"])
slowest: list[Event] = sorted(inspector.event_blocks[0].events, key=lambda event: event.num_outputs)
print(Scale.MS, slowest[0].name)
print(etinspect.__version__, inspector.find_total_for_module("m"), inspector.get_op_list("Execute")["x"][0].name)
