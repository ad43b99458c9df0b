"""A graph network with scatter and index_add."""

import torch
from torch import nn
import torch.nn.functional as F

class Layer(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.own, self.other = nn.Linear(n, m), nn.Linear(n, m)

    def forward(self, x, edges):
        source, target = edges
        gathered = torch.zeros(len(x), x.shape[1]).index_add_(0, target, x[source])
        return torch.relu(self.own(x) + self.other(gathered))


layers = nn.ModuleList([Layer(4, 8), Layer(8, 2)])
opt = torch.optim.Adam(layers.parameters())
edges = torch.randint(0, 10, (2, 30))
for step in range(4):
    x = torch.randn(10, 4)
    for layer in layers:
        x = layer(x, edges)
    loss = F.cross_entropy(x, torch.randint(0, 2, (10,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
