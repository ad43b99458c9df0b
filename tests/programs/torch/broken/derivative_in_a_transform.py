"""A derivative by `autograd.grad` in a residual that `jacrev` and `vmap` differentiate."""

import torch
from torch import nn
from torch.func import functional_call, jacrev, vmap


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def slope(self, place):
        value = self.layers(place)
        return torch.autograd.grad(value.sum(), place, create_graph=True)[0]  # why: TW701

    def forward(self, place):
        return self.slope(place).sum(-1, keepdim=True) - 1.0


field = Field()
places = torch.rand(20, 2, requires_grad=True)
field(places).pow(2).mean().backward()
weights = {name: each.detach() for name, each in field.named_parameters()}
jacobian = vmap(jacrev(lambda given, place: functional_call(field, given, (place,))), in_dims=(None, 0))
rows = jacobian(weights, places.detach())
