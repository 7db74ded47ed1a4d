import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(8, 16)
        self.second = torch.nn.Linear(16, 4)
        self.norm = torch.nn.LayerNorm(16)

    def forward(self, x, y):
        h = torch.relu(self.first(x))
        h = self.norm(h) + h * 2
        z = torch.softmax(self.second(h), -1)
        return z, torch.cat([z, y], dim=-1)
