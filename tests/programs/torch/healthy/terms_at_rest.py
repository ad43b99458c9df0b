"""Terms that are not due now: free bits, a margin that is kept, a bound, a penalty of curvature, a rounded estimate."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net, critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4)), nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD([*net.parameters(), *critic.parameters()], lr=0.01)
for step in range(6):
    x = torch.randn(16, 4, requires_grad=True)
    z = net(x)
    slope = torch.autograd.grad(critic(x).sum(), x, create_graph=True)[0]
    bend = torch.autograd.grad(net(x).pow(2).sum(), x, create_graph=True)[0]
    whole = z + (z.round() - z).detach()
    loss = (
        F.mse_loss(z, x.detach())
        + z.pow(2).mean().clamp(min=5.0)
        + F.relu(z.abs().mean() - 50.0)
        + F.margin_ranking_loss(z[:, 0] + 100, z[:, 1], torch.ones(16), margin=0.1)
        + 0.1 * (slope.norm(dim=1) - 1).pow(2).mean()
        + 0.01 * bend.pow(2).mean()
        + 0.1 * whole.pow(2).mean()
    )
    opt.zero_grad()
    loss.backward()
    opt.step()
