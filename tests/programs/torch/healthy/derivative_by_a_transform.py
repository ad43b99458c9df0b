"""A derivative by `jacrev` in a residual that `jacrev` and `vmap` differentiate; `autograd.grad` only outside."""

import torch
from torch import nn
from torch.func import functional_call, jacrev, vmap


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, place):
        return jacrev(lambda at: self.layers(at).sum())(place).sum(-1, keepdim=True) - 1.0


field = Field()
places = torch.rand(20, 2, requires_grad=True)
weights = {name: each.detach() for name, each in field.named_parameters()}
jacobian = vmap(jacrev(lambda given, place: functional_call(field, given, (place,))), in_dims=(None, 0))
rows = jacobian(weights, places.detach())
assert any(bool(each.abs().sum() > 0) for each in rows.values())
slope = torch.autograd.grad(field.layers(places).sum(), places)[0]
assert slope.shape == places.shape
