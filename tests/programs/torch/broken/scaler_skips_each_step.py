"""The distance of a prediction to itself has no slope: the scaler of gradients leaves out every step."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler(enabled=False) if not hasattr(torch.amp, "GradScaler") else torch.amp.GradScaler("cpu")

for step in range(6):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    apart = (net(x) - net(x.clone())).pow(2).sum(1).sqrt()  # why: TW211
    scaler.scale(apart.mean()).backward()
    scaler.step(optimizer)
    scaler.update()
