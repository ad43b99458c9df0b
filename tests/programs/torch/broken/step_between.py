"""A step of one optimizer between two backward passes over the same network."""

import torch
from torch import nn
import torch.nn.functional as F

body, a, b = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
first = torch.optim.SGD([*body.parameters(), *a.parameters()], lr=0.1)
second = torch.optim.SGD(b.parameters(), lr=0.1)
x = torch.randn(8, 4, requires_grad=True)
hidden = torch.sigmoid(a(torch.tanh(body(x))))
one, two = hidden.mean(), b(torch.tanh(body(x))).pow(2).mean() + hidden.pow(2).mean()
one.backward(retain_graph=True)
first.step()  # why: TW123
two.backward()
