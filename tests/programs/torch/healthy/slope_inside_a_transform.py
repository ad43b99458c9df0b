"""`torch.func` inside of `vmap`, and `torch.autograd.functional` outside of it."""

import torch
from torch import nn
from torch.func import jacrev, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(8, 2)
print(vmap(jacrev(net))(x).shape, torch.autograd.functional.jacobian(net, x[0]).shape)
