"""Tests the promises of src/stats: simulates gates and series of files with known noise.

    python tests/parity/statistics_simulation.py [--build build] [--gates 2000] [--seed 1]

Prints shares of false alarms and of changes that were found, and fails if one exceeds its limit by more than three standard
deviations. The noise is that of simulation.c. Needs BUILD/statistics.
"""

import argparse
import math
import sys

from statistics_parity import Statistics

DISTRIBUTIONS = ["normal", "unequal", "t3", "spikes", "two_modes", "two_modes_of_files", "coarse_clock"]
SIDES = [(5, 5), (8, 8), (5, 20), (20, 20)]
ALPHA, BETA, MOST, EVENTS = 0.01, 0.05, 0.15, 30  # MOST: least effect and margin


class Report:
    def __init__(self):
        self.failed = 0

    def row(self, what, share, n, least=0.0, most=1.0):
        allowed = 3 * math.sqrt(max(limit * (1 - limit) for limit in (least, most)) / n)
        fits = least - allowed <= share <= most + allowed
        self.failed += not fits
        print(f"{'' if fits else 'FAILED '}{what:<58}{share:>7.2%}   {least:.0%} to {most:.0%} are allowed")


def ask_gates(program, cells, n_gates, effect, of_one, seed):
    for name, (n_base, n_new) in cells:
        program.ask(f"gates {name} {EVENTS} {n_base} {n_new} {n_gates} {effect} {of_one} {seed}")
    return zip(cells, program.answers(), strict=True)


def check_gates(program, report, n_gates, seed):
    cells = [(name, sides) for sides in SIDES for name in DISTRIBUTIONS]
    for (name, (n_base, n_new)), (failed, _, faster, _, _) in ask_gates(program, cells, n_gates, 0, 0, seed):
        report.row(f"false alarms at {n_base}:{n_new}, {name}", failed, n_gates, most=ALPHA)
        report.row(f"something is called faster at {n_base}:{n_new}, {name}", faster, n_gates, most=ALPHA)
    for (name, (n_base, n_new)), (_, passed, _, _, _) in ask_gates(program, cells, n_gates, MOST, 0, seed):
        report.row(f"passes at {n_base}:{n_new} if all is 15 % slower, {name}", passed, n_gates, most=BETA)
    cells = [("normal", (8, 8)), ("unequal", (8, 8)), ("normal", (20, 20)), ("t3", (20, 20))]
    for (name, (n_base, n_new)), (_, _, _, named, others) in ask_gates(program, cells, n_gates, 0.3, 1, seed):
        report.row(f"one event +30 % is named at {n_base}:{n_new}, {name}", named, n_gates, least=0.95)
        report.row(f"others are named at {n_base}:{n_new}, {name}", others, n_gates, most=ALPHA)


def check_series(program, report, n_series, seed):
    nulls = [(name, n) for n in (20, 40) for name in ("normal", "t3", "spikes", "two_modes")]
    for name, n in nulls:
        program.ask(f"trials {name} {n} {n_series} 0 {n} 0 {ALPHA} {seed}")
    for (name, n), (alarms,) in zip(nulls, program.answers(), strict=True):
        report.row(f"false alarms of series of {n}, {name}", alarms, n_series, most=ALPHA)
    changes = [(20, 10), (40, 20), (20, 15), (40, 35)]
    for n, at in changes:
        program.ask(f"trials normal {n} {n_series} 0 {at} 0.1 {ALPHA} {seed}")
    for (n, at), (found,) in zip(changes, program.answers(), strict=True):
        report.row(f"+10 % of file {at} on in series of {n} was found, normal", found, n_series, least=0.9)
    program.ask(f"trials normal 20 {n_series} 0.5 20 0 {ALPHA} {seed}")
    ((drift,),) = program.answers()
    print(f"changes in drift, AR(0.5), of series of 20{drift:>24.2%}   drift is change")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--gates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    program, report = Statistics(options.build), Report()
    check_gates(program, report, options.gates, options.seed)
    check_series(program, report, options.gates, options.seed)
    print(f"simulation: {report.failed} failed")
    sys.exit(report.failed > 0)


if __name__ == "__main__":
    main()
