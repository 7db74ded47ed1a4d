"""A model, and changed forms of it. All classes have the same lines except for the change that the class name describes."""

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
    """`second` is renamed to `middle`."""

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
