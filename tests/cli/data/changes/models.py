"""A model, and the ways in which it is changed. Each class has the same lines except for what its name says."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.sigmoid(self.second(x))
        x = torch.cumsum(x, 1)
        x = torch.tanh(x)
        return self.head(x)


class Inserted(Base):
    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.sin(x)
        x = torch.sigmoid(self.second(x))
        x = torch.cumsum(x, 1)
        x = torch.tanh(x)
        return self.head(x)


class Removed(Base):
    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.sigmoid(self.second(x))
        x = torch.cumsum(x, 1)
        return self.head(x)


class Reordered(Base):
    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.tanh(x)
        x = torch.sigmoid(self.second(x))
        x = torch.cumsum(x, 1)
        return self.head(x)


class Renamed(nn.Module):
    """`second` is called `middle`."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.middle = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.sigmoid(self.middle(x))
        x = torch.cumsum(x, 1)
        x = torch.tanh(x)
        return self.head(x)
