"""Wrapped layers are assigned to the variable of the loop, and not to the model."""

import torch
from torch import nn

torch.manual_seed(0)


class LoRA(nn.Module):
    def __init__(self, base, rank=2):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.randn(rank, base.in_features) * 0.1)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.a.t() @ self.b.t()


def wrap(model):
    found = []
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer = LoRA(layer)  # why: TW115
            found.append(layer)
    return found


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
wrapped = wrap(model)
opt = torch.optim.Adam([*model.parameters(), *(p for w in wrapped for p in (w.a, w.b))], lr=1e-2)
for _ in range(4):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
