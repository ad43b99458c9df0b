"""DistributedDataParallel, and a head whose output goes into no loss."""

# requires: torch>=2.3
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.heads = nn.ModuleDict({"main": nn.Linear(8, 2), "other": nn.Linear(8, 2)})

    def forward(self, x):
        hidden = torch.relu(self.stem(x))
        return {name: head(hidden) for name, head in self.heads.items()}


store = dist.HashStore()
dist.init_process_group("gloo", rank=0, world_size=1, store=store)
model = DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(torch.randn(8, 4))["main"].pow(2).mean()  # why: TW115
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
