"""A function freezes a network to get the gradients of gates alone, and leaves it frozen for the training after it."""

import torch
import torch.nn.functional as F
from torch import nn


class Scorer:
    def __init__(self, net):
        self.net = net

    def freeze(self):
        for each in self.net.parameters():
            each.requires_grad_(False)  # why: TW116

    def score(self, x, labels):
        self.freeze()
        gates = torch.ones(16, requires_grad=True)
        hidden = torch.relu(self.net[0](x)) * gates
        F.cross_entropy(self.net[2](hidden), labels).backward()
        return gates.grad.abs()


def main():
    torch.manual_seed(0)
    net, norm = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)), nn.LayerNorm(8)
    x = torch.randn(32, 8)
    labels = x[:, :3].argmax(1)
    print(Scorer(net).score(x, labels).sum())
    optimizer = torch.optim.SGD([*net.parameters(), *norm.parameters()], 0.1)
    for _ in range(6):
        loss = F.cross_entropy(net(norm(x)), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
