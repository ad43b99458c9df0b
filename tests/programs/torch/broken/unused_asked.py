"""autograd.grad of an input that the loss does not use."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 1)
x = torch.randn(8, 4, requires_grad=True)
z = torch.randn(8, 4, requires_grad=True)  # why: TW115
loss = net(x).sum()
torch.autograd.grad(loss, [x, z])
