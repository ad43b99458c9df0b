"""Exact Gaussian processes: hyperparameters through a Cholesky factor, then a posterior drawn without a graph."""

import math

import torch
from torch import nn


class RBF(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw_length, self.raw_scale = nn.Parameter(torch.zeros(1)), nn.Parameter(torch.zeros(1))

    @property
    def length(self):
        return nn.functional.softplus(self.raw_length)

    def forward(self, a, b):
        d = (a[:, None] - b[None]).pow(2).sum(-1)
        return nn.functional.softplus(self.raw_scale) * torch.exp(-0.5 * d / self.length**2)


class GP(nn.Module):
    def __init__(self, x, y):
        super().__init__()
        self.register_buffer("x", x)
        self.register_buffer("y", y)
        self.kernel = RBF()
        self.mean = nn.Parameter(torch.zeros(1))
        self.log_noise = nn.Parameter(torch.tensor(-2.0))

    def factor(self):
        K = self.kernel(self.x, self.x)
        return torch.linalg.cholesky(K + self.log_noise.exp() * torch.eye(len(self.x)))

    def forward(self):
        L = self.factor()
        r = (self.y - self.mean)[:, None]
        alpha = torch.cholesky_solve(r, L)
        return 0.5 * (r * alpha).sum() + L.diagonal().log().sum() + 0.5 * len(self.x) * math.log(2 * math.pi)

    @torch.no_grad()
    def posterior(self, xs):
        L = self.factor()
        Ks = self.kernel(self.x, xs)
        v = torch.linalg.solve_triangular(L, Ks, upper=False)
        mean = self.mean + (Ks.t() @ torch.cholesky_solve((self.y - self.mean)[:, None], L)).squeeze(1)
        return mean, self.kernel(xs, xs) - v.t() @ v


x = torch.linspace(0, 1, 15)[:, None]
gp = GP(x, torch.sin(6 * x).squeeze() + 0.1 * torch.randn(15))
opt = torch.optim.Adam(gp.parameters(), lr=0.1)
for i in range(6):
    opt.zero_grad()
    loss = gp()
    loss.backward()
    opt.step()
    print(f"{loss.item():.3f} {gp.kernel.length.item():.3f}")
mean, cov = gp.posterior(torch.rand(4, 1))
print(mean.shape, cov.shape)
