"""Two losses of one `forward` of a distributed model, each with its own `backward`."""

import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

store = "file://" + os.path.join(tempfile.mkdtemp(), "store")
dist.init_process_group("gloo", init_method=store, rank=0, world_size=1)
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.left, self.right = nn.Linear(8, 1), nn.Linear(8, 1)

    def forward(self, x):
        x = torch.relu(self.body(x))
        return self.left(x), self.right(x)


model = DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    left, right = model(torch.randn(8, 4))
    optimizer.zero_grad()
    left.pow(2).mean().backward(retain_graph=True)
    right.abs().mean().backward()  # why: TW121
    optimizer.step()
dist.destroy_process_group()
