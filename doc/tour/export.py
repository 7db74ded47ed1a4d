"""export.py NAME - exports a small network for XNNPACK, runs it 20 times, and writes NAME.pte, NAME.etrecord and NAME.etdp."""
import sys

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from executorch.runtime import Runtime


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torch.nn.Sequential(
            torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Conv2d(16, 32, 3), torch.nn.ReLU())
        self.norm = torch.nn.LayerNorm(32)
        self.head = torch.nn.Linear(32, 10)

    def forward(self, image):
        pooled = self.features(image).mean((2, 3))
        return self.head(self.norm(pooled)).softmax(1)


name = sys.argv[1]
torch.manual_seed(0)
inputs = (torch.randn(1, 3, 64, 64),)
exported = torch.export.export(Net().eval(), inputs)
lowered = to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()], generate_etrecord=True)
program = lowered.to_executorch()
program.save(f"{name}.pte")
program.get_etrecord().save(f"{name}.etrecord")

loaded = Runtime.get().load_program(f"{name}.pte", enable_etdump=True)
forward = loaded.load_method("forward")
for _ in range(20):
    forward.execute(inputs)
loaded.write_etdump_result_to_file(f"{name}.etdp", "")
