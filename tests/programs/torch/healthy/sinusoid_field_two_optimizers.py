"""A SIREN that solves a Poisson equation: Adam first, L-BFGS afterwards, derivatives of the output in the loss."""

import math

import torch
from torch import nn


class SineLayer(nn.Module):
    def __init__(self, inp, out, first=False, omega=10.0):
        super().__init__()
        self.omega, self.linear = omega, nn.Linear(inp, out)
        with torch.no_grad():
            bound = 1 / inp if first else math.sqrt(6 / inp) / omega
            self.linear.weight.uniform_(-bound, bound)

    def forward(self, x):
        return torch.sin(self.omega * self.linear(x))


def gradient(y, x):
    return torch.autograd.grad(y, [x], grad_outputs=torch.ones_like(y), create_graph=True)[0]


def laplace(y, x):
    g = gradient(y, x)
    return sum(torch.autograd.grad(g[..., i], x, torch.ones_like(g[..., i]), create_graph=True)[0][..., i : i + 1] for i in range(g.shape[-1]))


net = nn.Sequential(SineLayer(2, 16, first=True), SineLayer(16, 16), nn.Linear(16, 1))
source = nn.Parameter(torch.tensor(0.5))


def loss_fn():
    x = torch.rand(24, 2).requires_grad_(True)
    edge = torch.rand(12, 2)
    edge[:, 0] = edge[:, 0].round()
    u = net(x)
    rhs = source * torch.sin(math.pi * x.detach()).prod(-1, keepdim=True)
    return (laplace(u, x) + rhs).pow(2).mean() + 10 * net(edge).pow(2).mean() + (source - 1).pow(2)


params = [*net.parameters(), source]
adam = torch.optim.Adam(params, lr=1e-4)
for step in range(4):
    adam.zero_grad()
    loss = loss_fn()
    loss.backward()
    adam.step()
    print(f"adam {loss.item():.3f}")

lbfgs = torch.optim.LBFGS(params, lr=0.5, max_iter=4, history_size=10, line_search_fn="strong_wolfe")
state = torch.get_rng_state()


def closure():
    torch.set_rng_state(state)
    lbfgs.zero_grad()
    loss = loss_fn()
    if loss.requires_grad:
        loss.backward()
    return loss


for step in range(2):
    lbfgs.step(closure)
print(math.isfinite(closure().item()))
