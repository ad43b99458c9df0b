"""A range is set after the optimizer was made, by a new parameter under the old name: the optimizer has the old one."""

import torch
from torch import nn

torch.manual_seed(0)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.gain = nn.Parameter(torch.ones(4))

    def calibrate(self, x):
        self.gain = nn.Parameter(1.0 / x.abs().amax(0))  # why: TW117

    def forward(self, x):
        return self.inner(x * self.gain)


model, x = Scaled(), torch.randn(32, 4)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
model.calibrate(x)
for _ in range(6):
    loss = (model(x) - 1.0).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
