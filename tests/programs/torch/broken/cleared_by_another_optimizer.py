"""Two optimizers share an encoder: one clears what the loss of the other has computed for it."""

import torch
from torch import nn

encoder, first, second = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
ours = torch.optim.SGD([*encoder.parameters(), *first.parameters()], lr=0.1)
theirs = torch.optim.SGD([*second.parameters(), *encoder.parameters()], lr=0.1)


def follow(loss, opt):
    opt.zero_grad()  # why: TW121
    loss.backward()


for _ in range(12):
    x = torch.randn(16, 4)
    ours.zero_grad()
    code = encoder(x)
    (first(code) - x[:, :1]).square().mean().backward(retain_graph=True)
    follow((second(code) - x[:, 1:2]).square().mean(), theirs)
    ours.step()
    theirs.step()
