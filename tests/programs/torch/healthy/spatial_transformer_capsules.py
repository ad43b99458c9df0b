"""A spatial transformer that begins at the identity, and capsules whose routing is detached."""

import torch
import torch.nn.functional as F
from torch import nn


class STN(nn.Module):
    def __init__(self):
        super().__init__()
        self.localization = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(2, stride=2), nn.ReLU(True))
        self.fc_loc = nn.Sequential(nn.Linear(4 * 3 * 3, 8), nn.ReLU(True), nn.Linear(8, 6))
        self.fc_loc[2].weight.data.zero_()
        self.fc_loc[2].bias.data.copy_(torch.tensor([1, 0, 0, 0, 1, 0], dtype=torch.float))

    def forward(self, x):
        theta = self.fc_loc(self.localization(x).view(-1, 36)).view(-1, 2, 3)
        return F.grid_sample(x, F.affine_grid(theta, x.size(), align_corners=False), align_corners=False)


def squash(s, dim=-1):
    n = (s * s).sum(dim, keepdim=True)
    return n / (1 + n) * s / (n.sqrt() + 1e-8)


class Capsules(nn.Module):
    def __init__(self, inp=16, out=3, dim_in=4, dim_out=6, rounds=3):
        super().__init__()
        self.W = nn.Parameter(0.1 * torch.randn(1, inp, out, dim_out, dim_in))
        self.rounds = rounds

    def forward(self, u):
        u_hat = (self.W @ u[:, :, None, :, None]).squeeze(-1)
        temp = u_hat.detach()
        b = torch.zeros(u.shape[0], u.shape[1], self.W.shape[2], 1)
        for _ in range(self.rounds - 1):
            c = F.softmax(b, dim=2)
            v = squash((c * temp).sum(1))
            b = b + (temp * v[:, None]).sum(-1, keepdim=True)
        return squash((F.softmax(b, dim=2) * u_hat).sum(1))


class CapsNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stn = STN()
        self.primary = nn.Conv2d(1, 16, 5, stride=1)
        self.digits = Capsules()
        self.decoder = nn.Sequential(nn.Linear(18, 32), nn.ReLU(), nn.Linear(32, 64), nn.Sigmoid())

    def forward(self, x, y=None):
        u = squash(F.relu(self.primary(self.stn(x))).view(len(x), -1, 4))[:, :16]
        v = self.digits(u)
        norms = v.norm(dim=-1)
        y = norms.argmax(1) if y is None else y
        masked = v * F.one_hot(y, 3)[..., None].to(v.dtype)
        return norms, self.decoder(masked.flatten(1))


model = CapsNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(4):
    x, y = torch.rand(6, 1, 8, 8), torch.randint(3, (6,))
    norms, recon = model(x, y)
    left, right = F.relu(0.9 - norms).pow(2), F.relu(norms - 0.1).pow(2)
    t = F.one_hot(y, 3).float()
    loss = (t * left + 0.5 * (1 - t) * right).sum(1).mean() + 0.0005 * F.mse_loss(recon, x.flatten(1), reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
