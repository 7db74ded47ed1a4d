"""Reads the OpenMetrics text that the program writes with the parser of prometheus_client, and compares its values with JSON.

    openmetrics.py BUILD

Prints "openmetrics: N passed, N failed, N skipped".
"""

import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families

BUILD = Path(sys.argv.pop(1)).resolve()
TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
HOSTILE = 'a"b\\c\nd{e}=\u00e9\t,'
RUNS = [
    [TESTDATA / "transformer/run.etdp", TESTDATA / "transformer/record.etrecord"],
    [TESTDATA / "mlp/run.etdp", TESTDATA / "mlp/record.etrecord"],
    [TESTDATA / "xnnpack-conv/run.etdp", TESTDATA / "xnnpack-conv/record.etrecord", TESTDATA / "xnnpack-conv/model.pte"],
    [TESTDATA / "prefill-decode/run.etdp"],
    [TESTDATA / "multi-method/run.etdp"],
    [TESTDATA / "outlier/run.etdp"],
    [TESTDATA / "backends/qnn_cnn/run.etdp", TESTDATA / "backends/qnn_cnn/model.etrecord"],
]


def program(*words):
    return subprocess.run([BUILD / "etinspect", *map(str, words)], capture_output=True, check=True, encoding="utf-8").stdout


def families_of(*words):
    return {family.name: family for family in text_string_to_metric_families(program(*words, "-f", "openmetrics"))}


class Summaries(unittest.TestCase):
    def test_each_is_parsed(self):
        n = 0
        for files in RUNS:
            for view in ("summary", "ops", "events", "runs", "tree", "source"):
                text = program(view, *files, "-f", "openmetrics")
                self.assertTrue(text.endswith("# EOF\n"))
                families = list(text_string_to_metric_families(text))
                for family in families:
                    self.assertIn(family.type, ("gauge", "summary"))
                    self.assertTrue(not family.unit or family.name.endswith("_" + family.unit), family.name)
                    self.assertTrue(family.documentation, family.name)
                n += sum(len(family.samples) for family in families)
        self.assertGreater(n, 2000)

    def test_values_are_those_of_json(self):
        for files in RUNS[:3]:
            tables = json.loads(program("summary", *files, "-f", "json"))["tables"]
            families = families_of("summary", *files)
            for table, label, column, family, divisor in (
                ("layers", "layer", "share", "etinspect_layers_share_ratio", 1),
                ("layers", "layer", "typical", "etinspect_layers_typical_seconds", 1000),
                ("operators", "op", "share", "etinspect_operators_share_ratio", 1),
                ("operators", "op", "calls", "etinspect_operators_calls", 1),
                ("backends", "backend", "avg", "etinspect_backends_avg_seconds", 1000),
                ("account", "part", "p50", "etinspect_account_p50_seconds", 1000),
            ):
                wanted = [(row[label], row[column] / divisor) for row in tables[table] if row[column] is not None]
                samples = families[family].samples
                self.assertEqual([(sample.labels[label], sample.value) for sample in samples], wanted)
                self.assertTrue(wanted)

    def test_runs_are_summarized(self):
        """Calculates here the percentiles of the runs after the warm-up that the view "runs" lists."""
        files = RUNS[0]
        rows = json.loads(program("runs", *files, "-f", "json"))["tables"]["runs"]
        times = sorted(row["elapsed"] / 1000 for row in rows if row["flag"] != "warm-up")
        samples = {(one.name, one.labels.get("quantile")): one.value for one in families_of("summary", *files)["etinspect_run_seconds"].samples}
        self.assertEqual(samples["etinspect_run_seconds_count", None], len(times))
        self.assertTrue(math.isclose(samples["etinspect_run_seconds_sum", None], sum(times)))
        for quantile in ("0", "0.1", "0.5", "0.9", "1"):
            at = float(quantile) * (len(times) - 1)
            low, high = times[math.floor(at)], times[math.ceil(at)]
            self.assertTrue(math.isclose(samples["etinspect_run_seconds", quantile], low + (at - math.floor(at)) * (high - low)))

    def test_labels_survive(self):
        """Gives labels whose names OpenMetrics does not allow, or which samples have already."""
        given = {"device": HOSTILE, "layer": "mine", "quantile": "q", "1st": "x", "a-b": "1", "a.b": "2", "__name__": "n"}
        words = [word for key, value in given.items() for word in ("--label", f"{key}={value}")]
        families = families_of("summary", *RUNS[0], *words)
        labels = families["etinspect_layers_share_ratio"].samples[0].labels
        self.assertEqual(labels, {"layer": "attention", "device": HOSTILE, "label_layer": "mine", "label_quantile": "q", "_1st": "x",
                                  "a_b": "1", "label_a_b": "2", "label___name__": "n"})  # fmt: skip
        self.assertEqual(families["etinspect_operators_share_ratio"].samples[0].labels["layer"], "mine")

    def test_cycles_are_not_seconds(self):
        families = families_of("summary", *RUNS[1], "--source_time_scale", "cycles", "--target_time_scale", "cycles")
        self.assertIn("etinspect_run_cycles", families)
        self.assertEqual([name for name in families if name.endswith("seconds")], [])

    def test_time_scales_do_not_matter(self):
        for scale in ("ns", "us", "s"):
            for name, family in families_of("summary", *RUNS[1], "--target_time_scale", scale).items():
                for one, other in zip(family.samples, families_of("summary", *RUNS[1])[name].samples):
                    self.assertTrue(math.isclose(one.value, other.value, rel_tol=1e-9), name)

    def test_labels_do_not_depend_on_the_selection(self):
        n = 0
        for files in RUNS:
            for view, family in (("events", "etinspect_events_share_ratio"), ("ops", "etinspect_ops_share_ratio"), ("source", "etinspect_lines_share_ratio")):
                whole = [sample for sample in families_of(view, *files)[family].samples if sample.value > 0.01]
                words = ("--columns", "share", "--filter", "share > 1%")
                self.assertEqual(list(families_of(view, *files, *words)) if whole else [], [family] if whole else [])
                if whole:
                    self.assertEqual(families_of(view, *files, *words)[family].samples, whole)
                n += len(whole)
        self.assertGreater(n, 30)

    def test_samples_are_of_their_rows(self):
        """Finds the row of JSON by the labels of a sample: by the names, or by the number if rows have the same names."""
        n = 0
        for files in RUNS:
            rows = json.loads(program("events", *files, "-f", "json"))["tables"]["events"]
            families = families_of("events", *files)
            for column, divisor in (("p50", 1000), ("share", 1), ("instruction_id", 1), ("parent", 1)):
                samples = [sample for name, family in families.items() if name.removesuffix("_seconds").removesuffix("_ratio") == f"etinspect_events_{column}"
                           for sample in family.samples]  # fmt: skip
                self.assertEqual(len(samples), sum(row[column] is not None for row in rows))
                for sample in samples:
                    named = [row for row in rows if all(row[key] == sample.labels[key] for key in ("block", "event_name"))]
                    self.assertEqual("row" in sample.labels, len(named) > 1, sample)
                    row = rows[int(sample.labels["row"])] if "row" in sample.labels else named[0]
                    self.assertIn(row, named)
                    self.assertEqual(sample.value, row[column] / divisor)
                    n += "row" in sample.labels
        self.assertGreater(n, 100)

    def test_one_table(self):
        families = families_of("summary", *RUNS[0], "--table", "layers")
        self.assertEqual({name.split("_")[1] for name in families}, {"layers"})


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    for test, text in result.failures + result.errors:
        print(f"FAILED {test}: {text.splitlines()[-1]}")
    print(f"openmetrics: {result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
