#!/usr/bin/env python3
"""reference.py [DEBUG_BUFFER] - computes the network in Python, and prints the same as tiny_cnn for its first 20 runs.

With the debug buffer that tiny_cnn wrote, compares every output value of every layer in these runs.
"""
import os
import re
import sys

from digits import draw

N_RUNS = 20
ALIGNMENT = 64  # number of the layers in the debug buffer


def read_weights(path):
    """Returns {layer: (weights, biases, shift)}."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    tables = {name: [int(n) for n in numbers.split(",") if n.strip()]
              for name, numbers in re.findall(r"int\d+_t (\w+)\[\d+\] = \{([^}]*)\}", text)}
    shifts = dict(re.findall(r"const weights (\w+) = \{.*, (\d+)\};", text))
    return {name: (tables[name + "_weights"], tables[name + "_bias"], int(shift)) for name, shift in shifts.items()}


def clamp(number):
    return max(-128, min(127, number))


def rounded(total, shift):
    """Returns total / 2^shift, rounded to the nearest integer, halves upwards."""
    return clamp((total + 2**shift // 2) // 2**shift)


def convolve(planes, weights, is_connected):
    """`planes`: for each channel 8 rows of 8; `is_connected`: whether an output channel sees an input channel."""
    kernels, biases, shift = weights
    n_inputs = sum(is_connected(0, i) for i in range(len(planes)))
    side = {1: 1, 9: 3}[len(kernels) // len(biases) // n_inputs]
    half = side // 2
    padded = [[[0] * 10] + [[0] + row + [0] for row in plane] + [[0] * 10] for plane in planes]
    kernel = iter(kernels)
    result = []
    for output, bias in enumerate(biases):
        taps = [(i, y, x, next(kernel)) for i in range(len(planes)) if is_connected(output, i)
                for y in range(side) for x in range(side)]
        result.append([[rounded(bias + sum(w * padded[i][row + 1 + y - half][column + 1 + x - half] for i, y, x, w in taps), shift)
                        for column in range(8)] for row in range(8)])
    return result


def relu(planes):
    return [[[max(0, value) for value in row] for row in plane] for plane in planes]


def pool(planes):
    return [[[max(plane[y + i][x + j] for i in range(4) for j in range(4)) for x in (0, 4)] for y in (0, 4)]
            for plane in planes]


def flat(nested):
    return [value for part in nested for value in flat(part)] if isinstance(nested, list) else [nested]


def dense(values, weights):
    kernels, biases, shift = weights
    n = len(values)
    return [rounded(bias + sum(a * b for a, b in zip(values, kernels[i * n:])), shift) for i, bias in enumerate(biases)]


def softmax(values):
    powers = [1 << 16]
    for _ in range(255):
        powers.append(powers[-1] * 61565 >> 16)
    exponentials = [powers[max(values) - value] for value in values]
    return [clamp((e * 128 + sum(exponentials) // 2) // sum(exponentials)) for e in exponentials]


def layers(pixels, weights):
    """Returns the output of each layer."""
    def everything(_output, _channel):
        return True
    made = [convolve([[pixels[row * 8:row * 8 + 8] for row in range(8)]], weights["conv_1"], everything)]
    made.append(relu(made[-1]))
    made.append(convolve(made[-1], weights["depthwise_2"], lambda output, channel: output == channel))
    made.append(convolve(made[-1], weights["pointwise_2"], everything))
    made.append(relu(made[-1]))
    made.append(pool(made[-1]))
    made.append(dense(flat(made[-1]), weights["dense_3"]))
    made.append(softmax(made[-1]))
    return [flat(values) for values in made]


def main():
    weights = read_weights(os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.c"))
    written = None
    if len(sys.argv) > 1:
        with open(sys.argv[1], "rb") as file:
            written = file.read()
    at = 0
    for run in range(N_RUNS):
        made = layers(draw(run % 10, run // 10), weights)
        best = max(made[-1])
        print(f"{run % 10}: {made[-1].index(best)} ({best}/128)")
        for layer, values in enumerate(made):
            at = (at + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
            if written is not None and written[at:at + len(values)] != bytes(v % 256 for v in values):
                sys.exit(f"run {run}, layer {layer}: differs from the debug buffer")
            at += len(values)


main()
