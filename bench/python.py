"""Measures the Python package beside the Inspector of ExecuTorch: processes and calls in turns, on a profile with its ETRecord.

    python bench/python.py PYTHON FOLDER DUMP [ROUNDS]

The interpreter PYTHON must have both packages; FOLDER has run.etdp and record.etrecord, and DUMP is an ETDump of 10^5 Events,
of which the Inspector reads a smaller one, DUMP with ".small" at its end. Prints medians of milliseconds, of
CPU time where so labelled, and ratios, which are medians of the ratios of pairs. `make bench-python` runs it on
testdata/transformer.
"""

import os
import statistics
import subprocess
import sys
import time

OPEN = "Inspector(etdump_path='{0}/run.etdp', etrecord='{0}/record.etrecord')"
IMPORTS = {"etinspect": "from etinspect import Inspector", "executorch": "from executorch.devtools import Inspector"}
CALLS = {"print_data_tabular": 200, "to_dataframe": 12}  # and how many times as fast as the Inspector's they should be
OPENED = 50
LISTS, ROW = 2, 100  # to_dataframe() beside pandas with lists, at most; and beside the Inspector's per row, at least
# Uses compiled bytecode, as installed by pip.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def first():
    """Gives a process real-time priority, if permitted, so that other load matters little."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


def run(python, script):
    """Returns wall and CPU milliseconds of a process."""
    started = time.perf_counter()
    process = subprocess.Popen([python, "-W", "ignore", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=ENVIRONMENT, preexec_fn=first)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"python.py: exit status {os.waitstatus_to_exitcode(status)}: {script}")
    return 1e3 * wall, 1e3 * (usage.ru_utime + usage.ru_stime)


def in_turns(python, scripts, rounds):
    """Returns {name: [(wall, CPU) of each round]}; the first round, which fills caches, is left out."""
    measured = {name: [] for name in scripts}
    for _ in range(rounds + 1):
        for name, script in scripts.items():
            measured[name].append(run(python, script))
    return {name: times[1:] for name, times in measured.items()}


def median(times):
    return tuple(statistics.median(column) for column in zip(*times))


def print_line(name, ours, theirs, bar):
    """Pairs of times in milliseconds."""
    ratio = statistics.median(other / own for own, other in zip(ours, theirs))
    verdict = "" if bar is None else f"    bar {bar} ×: {'held' if ratio >= bar else 'MISSED'}"
    print(f"{name:44} {statistics.median(ours):10.2f} {statistics.median(theirs):10.1f} {ratio:9.1f} ×{verdict}", flush=True)
    return bar is None or ratio >= bar


def measure_import(python, rounds):
    scripts = {"bare": "pass", "etinspect": IMPORTS["etinspect"], "package": "import etinspect"}
    times = {name: [cpu for _, cpu in of] for name, of in in_turns(python, scripts, rounds).items()}
    least = {name: min(of) for name, of in times.items()}
    more = {name: time - least["bare"] for name, time in least.items()}
    verdict = "held" if more["etinspect"] <= 3 else "MISSED"
    print(f"least CPU of a bare interpreter {least['bare']:.2f} ms; {IMPORTS['etinspect']} {more['etinspect']:+.2f} ms"
          f"    bar 3 ms: {verdict}; import etinspect {more['package']:+.2f} ms; {rounds} rounds", flush=True)
    return more["etinspect"] <= 3


def measure_processes(python, folder, rounds):
    """Imports included."""
    are_held = True
    for call, bar in CALLS.items():
        scripts = {name: f"{of}; {OPEN.format(folder)}.{call}()" for name, of in IMPORTS.items()}
        times = in_turns(python, scripts, rounds)
        for column, what, least in ((0, "wall", bar), (1, "CPU", None)):
            ours, theirs = ([one[column] for one in times[name]] for name in IMPORTS)
            are_held &= print_line(f"{call}, imports included, {what}", ours, theirs, least)
    return are_held


def measure_opened(python, folder, rounds):
    """Measures imports separately: each package in its own process, where it opens files and makes the DataFrame five times
    per turn."""
    script = ("import statistics, sys, time, warnings; warnings.simplefilter('ignore'); import pandas; {0}\n"
              "def once():\n"
              "    started = time.perf_counter(); {1}.to_dataframe(); return 1e3 * (time.perf_counter() - started)\n"
              "for _ in range({2}):\n"
              "    sys.stdin.readline(); print(statistics.median(once() for _ in range(5)), flush=True)")
    processes = {}
    for name, of in IMPORTS.items():
        command = [python, "-W", "ignore", "-c", script.format(of, OPEN.format(folder), rounds + 2)]
        processes[name] = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL, preexec_fn=first)
    times = {name: [] for name in IMPORTS}
    for _ in range(rounds + 2):
        for name, process in processes.items():
            process.stdin.write("\n")
            process.stdin.flush()
            times[name].append(float(process.stdout.readline()))
    for process in processes.values():
        process.communicate()
    return print_line("opening and to_dataframe, imports apart", times["etinspect"][2:], times["executorch"][2:], OPENED)


def least_of(python, script):
    """Runs a script that prints a row of numbers per round; returns the least of each."""
    lines = subprocess.run([python, "-W", "ignore", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           check=True, env=ENVIRONMENT, preexec_fn=first).stdout.splitlines()
    return [min(column) for column in zip(*(map(float, line.split()) for line in lines))]


def measure_rows(python, dump, rounds):
    """CPU time of to_dataframe() alone, beside a DataFrame of lists of the same cells, and beside the Inspector's."""
    script = ("import time, pandas; {0}\n"
              "def cpu(call):\n"
              "    started = time.process_time(); made = call(); return 1e3 * (time.process_time() - started), made\n"
              "inspector = Inspector(etdump_path='{1}'); lists = inspector.to_dataframe().to_dict('list')\n"
              "for _ in range({2}):\n"
              "    ours, made = cpu(Inspector(etdump_path='{1}').to_dataframe); rows = len(made); del made\n"
              "    print(ours, cpu(lambda: pandas.DataFrame(lists))[0] if {3} else 0, rows, flush=True)")
    ours, lists, rows = least_of(python, script.format(IMPORTS["etinspect"], dump, rounds, True))
    theirs, _, their_rows = least_of(python, script.format(IMPORTS["executorch"], dump + ".small", 3, False))
    beside_lists, per_row = ours / lists, (theirs / their_rows) / (ours / rows)
    are_held = beside_lists <= LISTS and per_row >= ROW
    print(f"to_dataframe of {rows:.0f} rows, least CPU of {rounds}: {ours:.0f} ms, pandas from lists {lists:.0f} ms: {beside_lists:.2f} x"
          f"    bar {LISTS} x: {'held' if beside_lists <= LISTS else 'MISSED'}; a row {1e3 * ours / rows:.2f} us, the Inspector's"
          f" {1e3 * theirs / their_rows:.0f} us: {per_row:.0f} x    bar {ROW} x: {'held' if per_row >= ROW else 'MISSED'}", flush=True)
    return are_held


def measure_spans(python, rounds):
    """Returns nanoseconds of a with statement: recording, and with an empty context manager written in Python."""
    script = ("import etinspect, time\n"
              "class Empty:\n"
              "    def __enter__(self): pass\n"
              "    def __exit__(self, *error): pass\n"
              "capture = etinspect.Capture(); span = capture.span('conv'); empty = Empty()\n"
              "def again(n):\n"
              "    for _ in range(n):\n"
              "        with span: pass\n"
              "def anew(n):\n"
              "    for _ in range(n):\n"
              "        with capture.span('conv'): pass\n"
              "def nothing(n):\n"
              "    for _ in range(n):\n"
              "        with empty: pass\n"
              "def measure(function, n=100000):\n"
              "    with capture.run():\n"
              "        started = time.process_time_ns(); function(n); return (time.process_time_ns() - started) / n\n"
              "for _ in range({0}):\n"
              "    print(measure(again), measure(anew), measure(nothing)); capture.reset()")
    lines = subprocess.run([python, "-c", script.format(5 * rounds)], capture_output=True, text=True, check=True, preexec_fn=first).stdout
    again, anew, nothing = median([tuple(map(float, line.split())) for line in lines.splitlines()[1:]])
    print(f"recording a span {again:.0f} ns, looking up its name besides {anew:.0f} ns; an empty context manager {nothing:.0f} ns of CPU")


def main():
    python, folder, dump = sys.argv[1:4]
    rounds = int(sys.argv[4]) if sys.argv[4:] else 5
    are_held = measure_import(python, 40 * rounds)
    print(f"{'':44} {'etinspect':>10} {'Inspector':>10} {'ratio':>11}    ms, medians of {rounds} rounds")
    are_held &= measure_processes(python, folder, rounds)
    are_held &= measure_opened(python, folder, 4 * rounds)
    are_held &= measure_rows(python, dump, 3 * rounds)
    measure_spans(python, rounds)
    print("all bars are held" if are_held else "a bar is MISSED")


if __name__ == "__main__":
    main()
