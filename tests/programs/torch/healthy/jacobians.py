"""Jacobians, Hessians, forward-mode derivatives and per-sample gradients."""

import torch
from torch import nn
import torch.nn.functional as F

from torch.autograd.functional import hessian, jacobian

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
x = torch.randn(3)
print(jacobian(net, x).shape, hessian(lambda v: net(v).sum(), x).shape)
print(torch.func.jacrev(net)(x).shape, torch.func.jvp(net, (x,), (torch.ones(3),))[1].shape)
