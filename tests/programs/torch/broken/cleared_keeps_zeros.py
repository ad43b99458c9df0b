"""zero_grad(set_to_none=False) of the model, in a helper, between backward and step."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def tidy(model):
    model.zero_grad(set_to_none=False)  # why: TW604


for step in range(5):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    tidy(net)
    opt.step()
