"""Wrapped layers that are called, beside a head and an adapter that this task does not use."""

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


class Tagger(nn.Module):
    """A head that this task does not use, which shares the weights of the first layer."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
        self.reconstruct = nn.Linear(4, 4)
        self.reconstruct.weight = self.body[0].weight
        self.adapters = nn.ModuleDict({"en": nn.Linear(4, 4), "de": nn.Linear(4, 4)})

    def forward(self, x):
        return self.body(self.adapters["en"](x))


model = Tagger()
for name, layer in list(model.named_modules()):
    if isinstance(layer, nn.Linear) and name.startswith("body"):
        parent, _, last = name.rpartition(".")
        setattr(model.get_submodule(parent), last, LoRA(layer))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(4):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
