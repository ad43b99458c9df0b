"""A recurrence over the time steps is traced: its turns are those of the example, whatever comes later."""

import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")  # TorchScript is deprecated


def folded(step, x):
    state = x.new_zeros(x.shape[0], 4)
    for time in range(x.shape[1]):  # why: TW122
        state = step(x[:, time], state)
    return state


class Folded(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)

    def forward(self, x):
        return folded(self.cell, x)


torch.manual_seed(0)
traced = torch.jit.trace(Folded(), torch.randn(2, 5, 3))
for length in (5, 8, 11):
    print(traced(torch.randn(2, length, 3)).sum().isfinite())
