"""The parameters to clip are a `filter`, which the count of the parameters has read to its end."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
wanted = filter(lambda p: p.requires_grad, net.parameters())  # why: TW121
print(sum(p.numel() for p in wanted) > 0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(wanted, 1.0)
    opt.step()
