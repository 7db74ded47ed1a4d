"""Checks that Model Explorer reads etinspect's graphs and values, and that the values add up to the column "typical" of
graph.

    graphs_in_model_explorer.py [--build DIRECTORY] [FILE ...]       default: all available real ETDumps that have an ETRecord, see dumps.py

FILEs are those of one profile, as etinspect graph takes them. Graphs and values are loaded into Model Explorer's own
classes, which must know every key; then both files are requested from its server, as its page does.
"""

import argparse
import contextlib
import json
import math
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import dacite
from model_explorer.graph_builder import GraphCollection
from model_explorer.node_data_builder import GraphNodeData

from checks import Checks, ROOT, etinspect, expect
from dumps import all_dumps, files_beside

STRICT = dacite.Config(strict=True)


def graph_as(build, files, form, *options):
    return etinspect(build, "graph", "--format", form, *options, *files)


def check_graph(collection):
    """Ids are unique, and edges come from existing nodes."""
    assert len(collection.graphs) == 1
    graph = collection.graphs[0]
    ids = [node.id for node in graph.nodes]
    assert len(ids) == len(set(ids)), "two nodes have one id"
    for node in graph.nodes:
        for edge in node.incomingEdges:
            assert edge.sourceNodeId in set(ids), edge
    return graph


def check_values(graph, values, rows):
    """Each value belongs to a node, and the values are the typical times of the table."""
    assert list(values) == [graph.id]
    results = dacite.from_dict(GraphNodeData, values[graph.id], STRICT).results
    assert set(results) <= {node.id for node in graph.nodes}
    times = [row["typical"] for row in rows if row["typical"] is not None]
    found = math.fsum(result.value for result in results.values())
    assert len(results) == len(times), (len(results), len(times))
    assert found == math.fsum(times), (found, math.fsum(times))
    return found


def check_selection(build, files):
    """Omitted nodes have neither a node nor a value nor an edge."""
    options = ["--sort", "total:desc", "--top", "3"]
    document = json.loads(graph_as(build, files, "model-explorer", *options))
    graph = check_graph(dacite.from_dict(GraphCollection, document, STRICT))
    rows = json.loads(graph_as(build, files, "json", *options))["tables"]["nodes"]
    assert len(graph.nodes) == len(rows) <= 3
    check_values(graph, json.loads(graph_as(build, files, "model-explorer-data", *options)), rows)


@contextlib.contextmanager
def served(graph_path, data_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = pathlib.Path(sys.executable).with_name("model-explorer")
    server = subprocess.Popen(
        [program, graph_path, f"--node_data_paths={data_path}", "--no_open_in_browser", "--host=127.0.0.1",
         f"--port={port}", "--skip_health_check"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def ask(address, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return answer.read().decode()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.3)


def check_served(graph_text, data_text):
    """The server starts with both files and returns what it read."""
    with tempfile.TemporaryDirectory() as directory:
        paths = []
        for name, text in (("graph.json", graph_text), ("data.json", data_text)):
            path = os.path.join(directory, name)
            pathlib.Path(path).write_text(text, encoding="utf-8")
            paths.append(path)
        with served(*paths) as server:
            assert "<html" in ask(f"{server}/")
            for path, text in zip(paths, (graph_text, data_text)):
                query = urllib.parse.urlencode({"path": path})
                answer = json.loads(ask(f"{server}/api/v1/read_text_file?{query}"))
                assert json.loads(answer["content"]) == json.loads(text)


def check_profile(build, files):
    """Returns both files."""
    graph_text = graph_as(build, files, "model-explorer")
    data_text = graph_as(build, files, "model-explorer-data")
    rows = json.loads(graph_as(build, files, "json"))["tables"]["nodes"]
    graph = check_graph(dacite.from_dict(GraphCollection, json.loads(graph_text), STRICT))
    expect(len(graph.nodes), len(rows), "nodes")
    check_values(graph, json.loads(data_text), rows)
    check_selection(build, files)
    return graph_text, data_text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    checks = Checks("graphs_in_model_explorer")
    texts = None
    profiles = [[path, *files_beside(path)[:1]] for path in all_dumps(options.build) if files_beside(path)]
    for files in [options.files] if options.files else profiles:
        made = checks.run(str(files[0]).removeprefix(f"{ROOT}/"), check_profile, options.build, files)
        texts = made if made and (not texts or len(made[0]) > len(texts[0])) else texts
    if texts:
        checks.run("server", check_served, *texts)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
