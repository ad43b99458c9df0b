"""Several heads of which only one is trained, on purpose."""

import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 8)
        self.heads = nn.ModuleDict({name: nn.Linear(8, 1) for name in ("age", "price", "later")})

    def forward(self, x, task):
        return self.heads[task](torch.relu(self.trunk(x)))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    loss = net(torch.randn(8, 6), "age" if step % 2 else "price").pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
