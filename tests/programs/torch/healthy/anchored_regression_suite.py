"""Small models of statistics: quantiles, ordinal cut points, survival, matrix factorization with alternating steps."""

import torch
import torch.nn.functional as F
from torch import nn


def pinball(pred, y, taus):
    error = y[:, None] - pred
    return torch.maximum(taus * error, (taus - 1) * error).mean()


class Ordinal(nn.Module):
    def __init__(self, k=4):
        super().__init__()
        self.w = nn.Linear(3, 1, bias=False)
        self.first, self.gaps = nn.Parameter(torch.tensor([-1.0])), nn.Parameter(torch.zeros(k - 2))

    def forward(self, x):
        cuts = torch.cat([self.first, self.first + F.softplus(self.gaps).cumsum(0)])
        cdf = torch.sigmoid(cuts - self.w(x))
        full = torch.cat([torch.zeros_like(cdf[:, :1]), cdf, torch.ones_like(cdf[:, :1])], 1)
        return full.diff(dim=1).clamp_min(1e-7)


def cox(risk, time, event):
    order = time.argsort(descending=True)
    risk, event = risk[order], event[order]
    return -((risk - risk.logcumsumexp(0)) * event).sum() / event.sum().clamp(min=1)


torch.manual_seed(1)
taus = torch.tensor([0.1, 0.5, 0.9])
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(4):
    x = torch.randn(32, 2)
    loss = pinball(net(x).cumsum(1), x.sum(1) + torch.randn(32), taus)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"quantiles {loss.item():.3f}")
model = Ordinal()
opt = torch.optim.SGD(model.parameters(), lr=0.5)
for step in range(4):
    x = torch.randn(32, 3)
    y = torch.bucketize(x[:, 0], torch.tensor([-1.0, 0.0, 1.0]))
    loss = F.nll_loss(model(x).log(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"ordinal {loss.item():.3f}")
beta = torch.zeros(3, requires_grad=True)
opt = torch.optim.LBFGS([beta], max_iter=5)
X, T, E = torch.randn(40, 3), torch.rand(40), (torch.rand(40) < 0.7).float()


def closure():
    opt.zero_grad()
    loss = cox(X @ beta, T, E) + 0.01 * beta.pow(2).sum()
    loss.backward()
    return loss


print(f"cox {float(opt.step(closure)):.3f}")
R = torch.randn(10, 3) @ torch.randn(3, 8)
mask = torch.rand(10, 8) < 0.6
U, V = nn.Parameter(torch.randn(10, 3) * 0.1), nn.Parameter(torch.randn(8, 3) * 0.1)
opt_u, opt_v = torch.optim.SGD([U], lr=0.05), torch.optim.SGD([V], lr=0.05)
for step in range(6):
    opt = opt_u if step % 2 == 0 else opt_v
    opt_u.zero_grad()
    opt_v.zero_grad()
    loss = ((U @ V.T - R)[mask] ** 2).sum() + 0.1 * (U.norm() ** 2 + V.norm() ** 2)
    loss.backward()
    opt.step()
print(f"factors {loss.item():.3f}")
