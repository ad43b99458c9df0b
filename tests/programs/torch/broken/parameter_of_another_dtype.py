"""A parameter is made, and what is kept of it is its copy in another dtype: nothing lists that."""

# requires: torch
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scores = nn.Linear(width, width, dtype=torch.float64)
        self.gains = nn.Parameter(torch.ones(width)).to(torch.float64)  # why: TW601

    def forward(self, x):
        return self.scores(x).tanh() * self.gains


def train(gate, steps):
    optimizer = torch.optim.SGD(gate.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        (gate(torch.randn(8, 3, dtype=torch.float64)) - 0.5).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
train(Gate(3), 4)
