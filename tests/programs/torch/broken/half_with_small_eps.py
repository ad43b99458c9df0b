"""Adam with its own eps trains weights in float16, where that is 0, in a function that has returned."""

# requires: torch>=2.2
import torch
from torch import nn


def train():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Embedding(6, 4), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)).half()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(5):
        loss = net(torch.tensor([0, 1, 2])).float().square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()  # why: TW611


train()
