"""A loop that stops when little changes is traced: the trace stops where the example did."""

import torch
from torch import nn

torch.manual_seed(0)


class Refined(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        for _ in range(4):
            x, before = 0.5 * x, x
            if (x - before).abs().mean() < 0.1:  # why: TW122
                break
        return self.layer(x)


traced = torch.jit.trace(Refined(), torch.ones(1, 3))
traced(100 * torch.ones(1, 3))
