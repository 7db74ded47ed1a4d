"""Compares the two command lines: exit status and stdout for right and wrong arguments.

    cli_parity.py [--build BUILD]

The real inspector_cli.main() runs in this process, with sys.argv replaced. Not compared, because etinspect offers more:
plain file arguments and a final "--", which the Inspector rejects, and --compare_results, for which the Inspector needs
matplotlib.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testdata"))

from executorch.devtools.inspector import inspector_cli

from observe import standard_output_into

CASE = Path(__file__).resolve().parents[2] / "testdata" / "mlp"
RUN, RECORD, BUFFER = "run.etdp", "record.etrecord", "debug_buffer.bin"

# The Inspector's exit status, and the allowed ones of etinspect.
SAME = {0: {0}, 1: {3}, 2: {2}}

# arguments, and the allowed statuses if they are not those of SAME
LINES = [
    (["--etdump_path", RUN], None),
    (["--etdump_path", RUN, "--etrecord_path", RECORD, "--debug_buffer_path", BUFFER], None),
    (["--etdump_path=" + RUN, "--etrecord_path=" + RECORD, "--target_time_scale=us"], None),
    (["--etdump", RUN, "--source", "us", "--target", "s"], None),
    (["--etd", RUN, "--etr", RECORD, "--debug", BUFFER], None),
    (["--etdump=" + RUN, "--s=us"], None),
    (["--etdump_path", "missing", "--etdump_path", RUN], None),
    (["--etdump_path", RUN, "--target_time_scale", "s", "--target_time_scale", "ns"], None),
    (["--etdump_path", RUN, "--source_time_scale", "cycles", "--target_time_scale", "cycles"], None),
    (["--etdump_path", RUN, "--tsv_path", ""], None),
    (["--etdump_path", RUN, "--tsv", "{tmp}/out.tsv"], None),
    (["--etdump_path", RUN, "--tsv_path", "{tmp}/missing/out.tsv"], {4}),
    (["--etdump_path", RUN, "--etrecord_path", ""], None),
    ([], None),
    (["--etrecord_path", RECORD], None),
    (["--etdump_path"], None),
    (["--et", RUN], None),
    (["--etdump_path", RUN, "--unknown"], None),
    (["--etdump_path", RUN, "--source_time_scale", "xx"], None),
    (["--etdump_path", RUN, "--source_time_scale", "MS"], None),
    (["--etdump_path", RUN, "--source_time_scale", ""], None),
    (["--etdump_path", RUN, "--source_time_scale", "m"], None),
    (["--etdump_path", "-x"], {2, 3}),
    (["--etdump_path", "missing"], None),
    (["--etdump_path", RUN, "--etrecord_path", "missing"], None),
    (["--etdump_path", RUN, "--etrecord_path", RUN], None),
    (["--etdump_path", RUN, "--debug_buffer_path", "missing"], None),
    (["--etdump_path", RECORD], {2}),  # wrong use: another option takes this kind of file
    (["--etdump_path", RUN, "--source_time_scale", "cycles"], {2, 3}),
    (["--help"], None),
    (["-h"], None),
]

OPTIONS = ("--etdump_path", "--source_time_scale", "--target_time_scale", "--etrecord_path", "--debug_buffer_path", "--tsv_path",
           "--compare_results", "--help")


def ask_inspector(arguments, directory):
    """Returns exit status, stdout and TSV."""
    printed = Path(directory) / "stdout"
    status = 0
    with mock.patch.object(sys, "argv", ["inspector_cli", *arguments]), mock.patch.object(sys, "stderr"):
        with standard_output_into(printed):
            try:
                inspector_cli.main()
            except SystemExit as exit:
                status = exit.code or 0
            except Exception:
                status = 1
    return status, printed.read_bytes(), read_tsv(directory)


def ask_etinspect(program, arguments, directory):
    done = subprocess.run([program, *arguments], capture_output=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, read_tsv(directory)


def read_tsv(directory):
    file = Path(directory) / "out.tsv"
    return file.read_bytes() if file.exists() else None


def difference(program, arguments, allowed):
    """Returns the difference, or None."""
    with tempfile.TemporaryDirectory() as theirs, tempfile.TemporaryDirectory() as ours:
        status, printed, tsv = ask_inspector([text.format(tmp=theirs) for text in arguments], theirs)
        our_status, our_printed, our_tsv = ask_etinspect(program, [text.format(tmp=ours) for text in arguments], ours)
    if our_status not in (allowed or SAME[status]):
        return f"exit status {our_status}, of the Inspector {status}"
    if "--help" in arguments or "-h" in arguments:
        missing = [option for option in OPTIONS if option not in our_printed.decode()]
        return f"help does not name {missing}" if missing else None
    if status != 0 and our_status != 4:
        printed = b""  # flatc prints its own errors there
    if printed != our_printed:
        return f"stdout differs: {len(our_printed)} bytes, of the Inspector {len(printed)}"
    if tsv != our_tsv:
        return "the TSV differs"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default="build")
    program = str((parser.parse_args().build / "etinspect").resolve())
    warnings.simplefilter("ignore")
    os.chdir(CASE)
    failed = 0
    for arguments, allowed in LINES:
        found = difference(program, arguments, allowed)
        failed += found is not None
        if found is not None:
            print(f"etinspect {shlex.join(arguments)}: {found}")
    print(f"command line: {len(LINES)} compared")
    print(f"{len(LINES) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
