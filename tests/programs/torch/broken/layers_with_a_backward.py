"""Two modules define a gradient of their own, as an `autograd.Function` would: autograd never calls it."""

import torch
from torch import nn
from torch.nn import functional as F


class Flipped(nn.Module):
    def forward(self, x):
        return x

    def backward(self, grad):  # why: TW119
        return grad.neg()


class Rounded(nn.Module):
    @staticmethod
    def forward(x):
        return x + (x.round() - x).detach()

    @staticmethod
    def backward(ctx, grad):  # why: TW119
        scaled = 0.5 * grad
        return scaled


body, head, judge = nn.Linear(6, 8), nn.Linear(8, 2), nn.Linear(8, 3)
flip, coarse = Flipped(), Rounded()
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters(), *judge.parameters()], lr=0.1)
for _ in range(3):
    x = torch.randn(12, 6)
    hidden = torch.tanh(body(x))
    loss = F.cross_entropy(head(coarse(hidden)), (x[:, 0] > 0).long())
    loss = loss + F.cross_entropy(judge(flip(hidden)), x[:, :3].argmax(1))
    optimizer.zero_grad()
    loss.backward(retain_graph=False)
    optimizer.step()
