"""A traced tagger takes the number of its samples as a Python number, and fails for the last, smaller batch."""

import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")  # TorchScript is deprecated


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRU(6, 8, batch_first=True), nn.Linear(8, 3)

    def forward(self, x):
        count = int(x.size(0))  # why: TW122
        return self.out(self.cell(x, torch.zeros(1, count, 8))[0])


torch.manual_seed(0)
tagger = torch.jit.trace(Tagger(), torch.randn(4, 5, 6), check_trace=False)
optimizer = torch.optim.SGD(tagger.parameters(), lr=0.1)
for number in (4, 4, 2):
    optimizer.zero_grad()
    tagger(torch.randn(number, 5, 6)).square().mean().backward()
    optimizer.step()
