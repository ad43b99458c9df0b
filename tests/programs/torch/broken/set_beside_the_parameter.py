"""`requires_grad` is set on tensors that only share the memory of parameters."""

import torch
from torch import nn

torch.manual_seed(0)


def freeze(model, prefix):
    for name, value in model.state_dict().items():
        if name.startswith(prefix):
            value.requires_grad = False  # why: TW612


def thaw(model):
    for parameter in model.parameters():
        parameter.data.requires_grad_(True)  # why: TW612


net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3), nn.Linear(3, 1))
net[2].requires_grad_(False)
freeze(net, "0.")
thaw(net[2])
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(4):
    loss = net(torch.randn(8, 3)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
