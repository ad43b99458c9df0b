"""A trained module is traced and scripted: the graphs have the names of the module alone, and train like it."""

import re
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")  # TorchScript is deprecated
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 36, 2))
x = torch.randn(4, 3, 8, 8)


def train(model):
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(3):
        opt.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        opt.step()
    return round(loss.item(), 4)


def text(graph):
    return re.sub(r" # .*", "", str(graph))  # without the lines of PyTorch's files


print(train(net))
traced = torch.jit.trace(net, torch.randn(2, 3, 8, 8))  # runs it again, and compares the graphs
print(text(traced.graph), train(traced))
print(text(torch.jit.trace(lambda a, b: (a * b).sum() + a.mean(), (x, x)).graph))
print(text(torch.jit.trace_module(net, {"forward": x}).graph))
scripted = torch.jit.script(net)
print(scripted.code, train(scripted), train(net))
