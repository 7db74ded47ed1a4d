"""How often the default rule of a gate alarms without reason, and how often it finds a planted slowdown, in real runs.

    build/peer/bin/python bench/gate_rule.py [--build build] [--processes 16] [--gates 500] [--seed 1]

Exports three models, runs each 110 times in several processes of the real runtime (once: BUILD/bench/gate keeps the ETDumps;
remove it to measure again), and puts runs into two sides of 50 each:

    resampled   runs of one process, at random: nothing differs between the sides
    halves      the first 50 runs of a process and the next 50: whatever drifts differs
    processes   50 runs of a process and 50 of another one: whatever a process is started with differs
    medians     all processes, half of them on each side; what is compared is the median of each process (with less
                than 8 a side there are too few to say, so nothing is found)

A gate alarms when any event is judged slower. The planted slowdown makes one event, of at least 3 % of the time of all,
take 10 % longer on one side. Samples are compared as measured, then relative to the pace of their run (src/stats/pace.h).
The rule itself runs in BUILD/statistics; this program only deals out runs. As root, runs have real-time priority.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "parity"))
sys.path.insert(0, str(HERE.parent / "testdata"))
from statistics_parity import Statistics  # noqa: E402

RUNS, WARM_UP, SIDE = 110, 10, 50
ALPHA, LEAST_EFFECT, LEAST_SHARE = 0.01, 0.05, 0.01
SLOWDOWN, LEAST_PLANTED_SHARE = 1.1, 0.03
SLOWER = 1
SHAPES = {"block": (1, 6, 16), "transformer": (1, 32, 64), "convolution": (1, 3, 32, 32)}


# ---------------------------------------------------------------- recording


def export(directory):
    import models
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    torch.manual_seed(0)
    transformer = torch.nn.Sequential(*[models.TransformerBlock(64, 4) for _ in range(3)])
    made = {"block": models.TransformerBlock(), "transformer": transformer, "convolution": models.ConvNet()}
    for name, model in made.items():
        program = torch.export.export(model.eval(), (torch.randn(*SHAPES[name]),))
        partitioner = [XnnpackPartitioner()] if name == "convolution" else None
        lowered = to_edge_transform_and_lower(program, partitioner=partitioner).to_executorch()
        (directory / f"{name}.pte").write_bytes(lowered.buffer)


def run_models(directory, process):
    """In a process of its own."""
    import torch
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    if os.geteuid() == 0:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    for name, shape in SHAPES.items():
        program = (directory / f"{name}.pte").read_bytes()  # the module only borrows it
        module = load(program, enable_etdump=True, debug_buffer_size=0)
        inputs = (torch.randn(*shape, generator=torch.Generator().manual_seed(1)),)
        for _ in range(RUNS):
            module.run_method("forward", inputs)
        module.write_etdump_result_to_file(str(directory / f"{name}-{process}.etdp"))


def record(directory, n_processes):
    directory.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    if not all((directory / f"{name}.pte").exists() for name in SHAPES):
        ask_self(["--export", str(directory)], environment)
    for process in range(n_processes):
        if not (directory / f"convolution-{process}.etdp").exists():
            ask_self(["--run", str(directory), str(process)], environment)


def ask_self(arguments, environment):
    done = subprocess.run([sys.executable, __file__, *arguments], env=environment, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"gate_rule.py: {' '.join(arguments)} failed\n{done.stderr.decode(errors='replace')[-3000:]}")


def read_samples(build, directory, name, n_processes):
    """process, event, run"""
    processes = []
    for process in range(n_processes):
        command = [str(build / "attributes"), "--etdump_path", str(directory / f"{name}-{process}.etdp")]
        blocks = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["event_blocks"]
        block = next(block for block in blocks if block["name"] == "Execute")
        processes.append([event["raw"] for event in block["events"] if len(event["raw"]) == RUNS])
    return np.array(processes)[:, :, WARM_UP:]


# ---------------------------------------------------------------- dealing out


def deal_resampled(samples, rng):
    runs = rng.permutation(samples.shape[2])[: 2 * SIDE]
    return samples[rng.integers(len(samples))][:, runs]


def deal_halves(samples, rng):
    return samples[rng.integers(len(samples))][:, : 2 * SIDE]


def deal_processes(samples, rng):
    first, second = rng.choice(len(samples), 2, replace=False)
    return np.concatenate([samples[first][:, :SIDE], samples[second][:, :SIDE]], axis=1)


def ask_gate(program, rows, pace):
    n_events, n_runs = rows.shape
    words = f"gate {n_events} {n_runs // 2} {n_runs - n_runs // 2} {ALPHA} {LEAST_EFFECT} {LEAST_SHARE} {pace}"
    program.ask(words, rows)


def ask_both(program, rows, event, pace):
    """A gate without any change, and one with the planted slowdown."""
    ask_gate(program, rows, pace)
    slowed = rows.copy()
    slowed[event, rows.shape[1] // 2 :] *= SLOWDOWN
    ask_gate(program, slowed, pace)


def print_shares(program, events, name, scenario, pace):
    verdicts = np.array(program.answers()).reshape(len(events), 2, -1)
    alarms = np.mean(np.any(verdicts[:, 0] == SLOWER, axis=1))
    found = np.mean(verdicts[np.arange(len(events)), 1, events] == SLOWER)
    how = "relative to pace" if pace else "as measured"
    print(f"{name:<13}{scenario:<11}{how:<18}{alarms:>12.1%}{found:>9.1%}", flush=True)


def simulate(program, samples, name, n_gates, rng):
    usual = np.median(samples, axis=(0, 2))
    heavy = np.flatnonzero(usual >= LEAST_PLANTED_SHARE * usual.sum())
    deals = {"resampled": deal_resampled, "halves": deal_halves, "processes": deal_processes}
    for scenario, deal in deals.items():
        dealt = [deal(samples, rng) for _ in range(n_gates)]
        events = rng.choice(heavy, n_gates)
        for pace in (0, 2):
            for rows, event in zip(dealt, events, strict=True):
                ask_both(program, rows, event, pace)
            print_shares(program, events, name, scenario, pace)
    simulate_medians(program, samples, name, n_gates, rng, usual, heavy)


def simulate_medians(program, samples, name, n_gates, rng, usual, heavy):
    told = usual > 0
    paces = np.median(samples[:, told] / usual[told, None], axis=1)
    medians = {0: np.median(samples, axis=2), 2: np.median(samples / paces[:, None, :], axis=2)}
    orders = [rng.permutation(len(samples)) for _ in range(n_gates)]
    events = rng.choice(heavy, n_gates)
    for pace, of_processes in medians.items():
        for order, event in zip(orders, events, strict=True):
            ask_both(program, of_processes[order].T, event, 0)
        print_shares(program, events, name, "medians", pace)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--gates", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.export:
        return export(options.export)
    if options.run:
        return run_models(Path(options.run[0]), options.run[1])

    directory = options.build / "bench" / "gate"
    record(directory, options.processes)
    program, rng = Statistics(options.build), np.random.default_rng(options.seed)
    print(f"{SIDE} runs a side, {options.gates} gates each; alpha {ALPHA}, least effect {LEAST_EFFECT:.0%}")
    print(f"{'model':<13}{'sides':<11}{'samples':<18}{'false alarm':>12}{'found':>9}")
    for name in SHAPES:
        samples = read_samples(options.build, directory, name, options.processes)
        simulate(program, samples, name, options.gates, rng)


if __name__ == "__main__":
    main()
