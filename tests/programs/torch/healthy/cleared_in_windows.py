"""Several calls of `backward` between two steps, with gradients cleared in between: all of them were of use."""

import copy

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)


def per_sample():
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        kept = [torch.zeros_like(p) for p in net.parameters()]
        for row in range(4):
            opt.zero_grad()
            F.mse_loss(net(x[row : row + 1]), y[row : row + 1]).backward()
            for sum_, p in zip(kept, net.parameters()):
                sum_ += p.grad.clamp(-1, 1) / 4
        for sum_, p in zip(kept, net.parameters()):
            p.grad = sum_
        opt.step()
        opt.zero_grad()
    return net(x).sum().item()


def both_before_the_steps():
    gen, critic = nn.Linear(2, 4), nn.Linear(4, 1)
    for_gen = torch.optim.Adam(gen.parameters())
    for_critic = torch.optim.Adam(critic.parameters())
    for _ in range(4):
        made = gen(torch.randn(8, 2))
        for_gen.zero_grad()
        F.softplus(-critic(made)).mean().backward()
        for_critic.zero_grad()
        (F.softplus(-critic(x)).mean() + F.softplus(critic(made.detach())).mean()).backward()
        for_gen.step()
        for_critic.step()
    return critic(gen(torch.ones(1, 2))).item()


def adversarial_inputs():
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        near = x.clone().requires_grad_()
        F.mse_loss(net(near), y).backward()
        opt.zero_grad()
        F.mse_loss(net(x + 0.1 * near.grad.sign()), y).backward()
        opt.step()
        opt.zero_grad()
    return net(x).sum().item()


def sharpness():
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        F.mse_loss(net(x), y).backward()
        before = copy.deepcopy(net.state_dict())
        with torch.no_grad():
            torch._foreach_add_(list(net.parameters()), [p.grad for p in net.parameters()], alpha=0.05)
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        net.load_state_dict(before)
        opt.step()
        opt.zero_grad()
    return net(x).sum().item()


def other_model_first():
    net, other = nn.Linear(4, 1), nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        F.mse_loss(other(x), y).backward()
        with torch.no_grad():
            for p in other.parameters():
                p -= 0.1 * p.grad
                p.grad = None
        opt.zero_grad()
        F.mse_loss(net(x), other(x).detach()).backward()
        opt.step()
    return net(x).sum().item()


def each_batch_cleared_by_penalty():
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        near = x.clone().requires_grad_()
        (slope,) = torch.autograd.grad(net(near).sum(), near, create_graph=True)
        opt.zero_grad()
        (F.mse_loss(net(x), y) + slope.square().mean()).backward()
        opt.step()
    return net(x).sum().item()


for each in (
    per_sample,
    both_before_the_steps,
    adversarial_inputs,
    sharpness,
    other_model_first,
    each_batch_cleared_by_penalty,
):
    print(each.__name__, f"{each():.4f}")
