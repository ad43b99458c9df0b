"""A Hamiltonian network: the field is a gradient of its output, also in evaluation under `no_grad`."""

import torch
from torch import nn


class HNN(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1, bias=False))
        self.register_buffer("J", torch.tensor([[0.0, 1.0], [-1.0, 0.0]]))
        for layer in self.net:
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight)

    def forward(self, x):
        with torch.enable_grad():
            if not x.requires_grad:
                x = x.clone().requires_grad_(True)
            dH = torch.autograd.grad(self.net(x).sum(), x, create_graph=self.training)[0]
        return dH @ self.J.t()


def pendulum(n):
    q, p = torch.rand(n, 1) * 6 - 3, torch.rand(n, 1) * 2 - 1
    return torch.cat([q, p], 1), torch.cat([p, -torch.sin(q)], 1)


model = HNN()
optim = torch.optim.Adam(model.parameters(), 1e-3, weight_decay=1e-4)
stats = {"train": [], "test": []}
for step in range(5):
    x, dxdt = pendulum(32)
    loss = (dxdt - model(x)).pow(2).mean()
    loss.backward()
    optim.step()
    optim.zero_grad()
    model.eval()
    xt, dt = pendulum(16)
    with torch.no_grad():
        test = (dt - model(xt)).pow(2).mean()
    model.train()
    stats["train"].append(loss.item())
    stats["test"].append(test.item())
    print(f"{step} {stats['train'][-1]:.4f} {stats['test'][-1]:.4f}")
model.eval()
state = torch.tensor([[1.0, 0.0]])
for _ in range(5):
    k1 = model(state).detach()
    state = state + 0.1 * model(state + 0.05 * k1).detach()
print(state.shape)
