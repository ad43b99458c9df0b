"""Each stage quantizes what the one before has left, with the code as a constant: each commitment trains the encoder."""

import torch
from torch import nn
from torch.nn import functional as F


class Stage(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("codes", torch.randn(9, size) * 0.5)

    def forward(self, x):
        nearest = self.codes[torch.cdist(x, self.codes).argmin(-1)]
        return x + (nearest - x).detach(), F.mse_loss(x, nearest)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(5, 4), nn.Linear(4, 5)
        self.stages = nn.ModuleList([Stage(4), Stage(4)])

    def forward(self, x):
        left, total, commitments = self.encode(x), 0.0, []
        for stage in self.stages:
            code, commitment = stage(left)
            left = left - code.detach()
            total = total + code
            commitments.append(commitment)
        return self.decode(total), commitments


torch.manual_seed(0)
coder = Coder()
optimizer = torch.optim.Adam(coder.parameters(), lr=1e-2)
x = torch.randn(32, 5)
for step in range(6):
    made, commitments = coder(x)
    loss = F.l1_loss(made, x) + 0.25 * sum(commitments)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
