"""Two experts share checkpointed blocks; which one runs is chosen before each pass, and again read in `backward`."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Expert(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(2)])
        self.chosen = 0

    def forward(self, x):
        return torch.tanh(self.experts[self.chosen](x))


def passed(blocks, x, chosen):
    for block in blocks:
        block.chosen = chosen
        x = checkpoint(block, x, use_reentrant=True)  # why: TW106
    return x


blocks = nn.ModuleList([Expert(4) for _ in range(2)])
head = nn.Linear(4, 1)
optimizer = torch.optim.SGD([*blocks.parameters(), *head.parameters()], lr=0.1)
for step in range(5):
    x = torch.randn(8, 4, requires_grad=True)
    loss = head(passed(blocks, x, 0) + passed(blocks, x, 1)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
