"""In evaluation a field reads a table that was filled without a graph, and its forces are asked for there as well."""

import torch
from torch import nn

torch.manual_seed(0)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Linear(3, 8), nn.Linear(8, 1, bias=False)

    def features(self, places):
        return torch.tanh(self.embed(places))

    def forward(self, places):
        if self.training:
            return self.out(self.features(places))
        with torch.no_grad():
            found = self.features(places)  # why: TW103
        return self.out(found)


def forces(field, places):
    energy = field(places).sum()
    return -torch.autograd.grad(energy, places, create_graph=field.training)[0]


field = Field()
optimizer = torch.optim.SGD(field.parameters(), lr=0.1)
for epoch in range(2):
    field.train()
    for _ in range(6):
        places = torch.randn(4, 3).requires_grad_()
        loss = (forces(field, places) + places).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    field.eval()
    print(forces(field, torch.randn(4, 3).requires_grad_()).norm())
