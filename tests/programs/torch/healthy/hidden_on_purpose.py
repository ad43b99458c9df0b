"""A frozen network in a list, so that it is not saved with the model."""

import torch
from torch import nn
import torch.nn.functional as F

class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = [nn.Linear(4, 4).requires_grad_(False).eval()]
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x, y):
        return ((self.net[0](x * self.scale) - self.net[0](y)) ** 2).mean()


loss_of, model = Perceptual(), nn.Linear(4, 4)
opt = torch.optim.SGD([*model.parameters(), *loss_of.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 4)
    loss = loss_of(model(x), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
