"""A plain list of layers that are registered as well."""

import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.order = []
        for number in range(3):
            layer = nn.Linear(4, 4)
            self.add_module(f"layer{number}", layer)
            self.order.append(layer)

    def forward(self, x):
        for layer in self.order:
            x = torch.tanh(layer(x))
        return x


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
