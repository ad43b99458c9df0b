"""Parametrizations: symmetric and orthogonal weights, weight norm, and a low-rank one that is merged in the end."""

import torch
from torch import nn
from torch.nn.utils import parametrize, parametrizations


class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)


class Skew(nn.Module):
    def forward(self, X):
        A = X.triu(1)
        return A - A.transpose(-1, -2)


class Cayley(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("Id", torch.eye(n))

    def forward(self, X):
        return torch.linalg.solve(self.Id + X, self.Id - X)


class LowRank(nn.Module):
    def __init__(self, out, inp, rank=1):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.randn(rank, inp)), nn.Parameter(torch.zeros(out, rank))

    def forward(self, weight):
        return weight + self.b @ self.a


model = nn.Sequential(nn.Linear(5, 5), nn.Tanh(), nn.Linear(5, 5), nn.Tanh(), nn.Linear(5, 5), nn.Tanh(), nn.Linear(5, 2))
parametrize.register_parametrization(model[0], "weight", Symmetric())
parametrize.register_parametrization(model[2], "weight", Skew())
parametrize.register_parametrization(model[2], "weight", Cayley(5))
parametrizations.orthogonal(model[4])
nn.utils.weight_norm(model[6]) if not hasattr(parametrizations, "weight_norm") else parametrizations.weight_norm(model[6])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(8, 5)
    with parametrize.cached():
        loss = (model(x) - x[:, :2]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
Q = model[2].weight
print(torch.dist(Q.T @ Q, torch.eye(5)).item() < 1e-4)

for each in model.parameters():
    each.requires_grad_(False)
parametrize.register_parametrization(model[0], "weight", LowRank(5, 5))
tuned = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(tuned, lr=1e-2)
for step in range(4):
    loss = (model(torch.randn(8, 5)) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
parametrize.remove_parametrizations(model[0], "weight", leave_parametrized=True)
print(len(tuned), type(model[0].weight).__name__)
