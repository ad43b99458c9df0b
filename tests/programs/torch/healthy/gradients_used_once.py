"""Every gradient is used once: by hand with momentum, in windows, by one of two optimizers, without the last layer."""

import torch
from torch import nn

torch.manual_seed(0)

# By hand, with momentum, clipped values, and the gradient cleared in three ways.
weight, speed = torch.zeros(4, 1, requires_grad=True), torch.zeros(4, 1)
for number in range(9):
    x = torch.randn(16, 4)
    (x @ weight - x.sum(1, keepdim=True)).square().mean().backward()
    with torch.no_grad():
        speed.mul_(0.9).add_(weight.grad)
        weight -= 0.01 * speed
        weight.clamp_(-3, 3)
    if number % 3 == 0:
        weight.grad = None
    elif number % 3 == 1:
        weight.grad.zero_()
    else:
        weight.grad.data.zero_()
print(weight.shape)

# Two optimizers share an encoder: both are cleared first, and the losses are added.
encoder, first, second = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
ours = torch.optim.SGD([*encoder.parameters(), *first.parameters()], lr=0.01)
theirs = torch.optim.SGD([*second.parameters(), *encoder.parameters()], lr=0.01)
for _ in range(6):
    x = torch.randn(16, 4)
    code = encoder(x)
    ours.zero_grad()
    theirs.zero_grad()
    ((first(code) - x[:, :1]).square().mean() + (second(code) - x[:, 1:2]).square().mean()).backward()
    ours.step()
    theirs.step()

# The last layer rests in the first rounds.
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for number in range(9):
    opt.zero_grad()
    (net(torch.randn(16, 4)) - 1).square().mean().backward()
    if number < 5:
        for each in net[2].parameters():
            each.grad = None
    opt.step()

# Gradients that fade instead of being cleared, and two steps for two calls of `backward`.
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(6):
    for each in net.parameters():
        if each.grad is not None:
            each.grad.mul_(0.5)
    (net(torch.randn(16, 4)) - 1).square().mean().backward()
    opt.step()
for _ in range(6):
    for sign in (1, -1):
        opt.zero_grad()
        (net(torch.randn(16, 4)) - sign).square().mean().backward()
        opt.step()
print("done")
