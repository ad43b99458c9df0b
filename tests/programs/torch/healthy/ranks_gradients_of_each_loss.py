"""A distributed model with one `backward` for each `forward`; gradients of each loss come from the model inside."""

import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

store = "file://" + os.path.join(tempfile.mkdtemp(), "store")
dist.init_process_group("gloo", init_method=store, rank=0, world_size=1)
torch.manual_seed(0)
model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)))
parameters = [*model.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.1)
for step in range(3):
    left, right = model.module(torch.randn(8, 4)).unbind(1)
    first = torch.autograd.grad(left.pow(2).mean(), parameters, retain_graph=True)
    second = torch.autograd.grad(right.abs().mean(), parameters)
    weight = sum((one * other).sum() for one, other in zip(first, second)).sigmoid()
    left, right = model(torch.randn(8, 4)).unbind(1)
    optimizer.zero_grad()
    (weight * left.pow(2).mean() + right.abs().mean()).backward()
    optimizer.step()
dist.destroy_process_group()
