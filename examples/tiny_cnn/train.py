#!/usr/bin/env python3
"""train.py >weights.c - trains the network with PyTorch, and prints its weights as 8-bit integers.

Nothing of this is needed to build the example. The network's integers are multiples of powers of two, so
that a layer only has to shift its sums: each weight is w * 2^a, each output y * 2^b.
"""
import math

import torch
from torch import nn
from torch.nn import functional

from digits import draw

torch.manual_seed(1)
torch.set_num_threads(1)

images = torch.tensor([draw(digit, variant) for variant in range(400) for digit in range(10)]).float() / 128
images = images.reshape(-1, 1, 8, 8)
labels = torch.tensor([digit for variant in range(400) for digit in range(10)])
n_tests = 800  # the first samples; the program draws some of them

layers = nn.ModuleDict({
    "conv_1": nn.Conv2d(1, 8, 3, padding=1),
    "depthwise_2": nn.Conv2d(8, 8, 3, padding=1, groups=8),
    "pointwise_2": nn.Conv2d(8, 16, 1),
    "dense_3": nn.Linear(64, 10),
})


def run(x, after):
    """`after` is called with the output of each layer that has weights."""
    x = functional.relu(after("conv_1", layers["conv_1"](x)))
    x = after("depthwise_2", layers["depthwise_2"](x))
    x = functional.relu(after("pointwise_2", layers["pointwise_2"](x)))
    x = functional.max_pool2d(x, 4).flatten(1)
    return after("dense_3", layers["dense_3"](x))


def train():
    optimizer = torch.optim.Adam(layers.parameters(), lr=0.005, weight_decay=1e-4)
    for epoch in range(30):
        for batch in torch.randperm(len(images) - n_tests).split(64):
            noisy = images[n_tests + batch] + 0.1 * torch.randn(len(batch), 1, 8, 8)
            loss = functional.cross_entropy(run(noisy, lambda name, x: x), labels[n_tests + batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def bits_for(tensor):
    """Returns the a for which tensor * 2^a uses 8 bits."""
    return math.floor(math.log2(127 / tensor.abs().max().item()))


def to_integers():
    """Returns for each layer its weights, biases and shift."""
    most = {}
    with torch.no_grad():
        run(images, lambda name, x: most.setdefault(name, x))
    input_bits = 7
    quantized = {}
    for name, layer in layers.items():
        weight_bits = bits_for(layer.weight.detach())
        output_bits = 4 if name == "dense_3" else bits_for(most[name])
        scale = 2.0 ** (input_bits + weight_bits)
        quantized[name] = (
            (layer.weight.detach() * 2.0**weight_bits).round().int(),
            (layer.bias.detach() * scale).round().int(),
            input_bits + weight_bits - output_bits,
        )
        input_bits = output_bits
    return quantized


def accuracy(quantized):
    """Returns the share of tests that the integer network classifies correctly."""
    def layer(x, name, function):
        weights, bias, shift = quantized[name]
        sums = function(x.double(), weights.double(), bias.double())
        return torch.floor((sums + 2.0 ** (shift - 1)) / 2.0**shift).clamp(-128, 127)
    x = images[:n_tests] * 128
    x = functional.relu(layer(x, "conv_1", lambda *a: functional.conv2d(*a, padding=1)))
    x = layer(x, "depthwise_2", lambda *a: functional.conv2d(*a, padding=1, groups=8))
    x = functional.relu(layer(x, "pointwise_2", functional.conv2d))
    x = functional.max_pool2d(x, 4).flatten(1)
    x = layer(x, "dense_3", functional.linear)
    return (x.argmax(1) == labels[:n_tests]).double().mean().item()


def print_table(kind, name, numbers):
    numbers = numbers.flatten().tolist()
    print(f"static const {kind} {name}[{len(numbers)}] = {{")
    for i in range(0, len(numbers), 16):
        print("    " + " ".join(f"{n}," for n in numbers[i : i + 16]))
    print("};\n")


train()
quantized = to_integers()
print("/* Made by train.py. */\n/* clang-format off */")
print('#include "weights.h"\n')
checksum = 0
for name, (weights, bias, shift) in quantized.items():
    print_table("int8_t", f"{name}_weights", weights)
    print_table("int32_t", f"{name}_bias", bias)
    print(f"const weights {name} = {{{name}_weights, {weights.numel()}, {name}_bias, {shift}}};\n")
    for number in weights.flatten().tolist():
        checksum = (checksum * 31 + number) % 2**32
print(f"const uint32_t weights_checksum = {checksum}u; /* {accuracy(quantized):.2%} of {n_tests} tests are right */")
