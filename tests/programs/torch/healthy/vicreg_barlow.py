"""VICReg and Barlow Twins on the same encoder: hinges on standard deviations and covariances off the diagonal."""

import torch
import torch.nn.functional as F
from torch import nn


def off_diagonal(x):
    n, m = x.shape
    assert n == m
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


class Method(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 16), nn.ReLU(inplace=True))
        self.projector = nn.Sequential(nn.Linear(16, 8), nn.BatchNorm1d(8), nn.ReLU(True), nn.Linear(8, 8, bias=False))

    def forward(self, a, b):
        return self.loss(self.projector(self.backbone(a)), self.projector(self.backbone(b)))


class VICReg(Method):
    def loss(self, x, y):
        repr_loss = F.mse_loss(x, y)
        x, y = x - x.mean(dim=0), y - y.mean(dim=0)
        std = [torch.sqrt(z.var(dim=0) + 1e-4) for z in (x, y)]
        std_loss = sum(torch.mean(F.relu(1 - s)) / 2 for s in std)
        cov_loss = sum(off_diagonal(z.T @ z / (len(z) - 1)).pow_(2).sum().div(8) for z in (x, y))
        return 25.0 * repr_loss + 25.0 * std_loss + 1.0 * cov_loss


class Barlow(Method):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(8, affine=False)

    def loss(self, z1, z2):
        c = self.bn(z1).T @ self.bn(z2)
        c.div_(len(z1))
        on_diag = torch.diagonal(c).add_(-1).pow_(2).sum()
        return on_diag + 0.005 * off_diagonal(c).pow_(2).sum()


for kind in (VICReg, Barlow):
    model = kind()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for step in range(4):
        x = torch.randn(16, 6)
        loss = model(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(kind.__name__, f"{loss.item():.4f}")
