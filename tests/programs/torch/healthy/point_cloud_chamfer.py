"""Point clouds: a learned transform with a regularizer, a max over points, and a Chamfer distance."""

import torch
import torch.nn.functional as F
from torch import nn


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.conv, self.fc = nn.Conv1d(k, 16, 1), nn.Linear(16, k * k)
        nn.init.zeros_(self.fc.weight)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        h = F.relu(self.conv(x)).max(2)[0]
        return self.fc(h).view(-1, self.k, self.k) + torch.eye(self.k)


class PointNetAE(nn.Module):
    def __init__(self, points=12):
        super().__init__()
        self.tnet, self.points = TNet(3), points
        self.enc = nn.Sequential(nn.Conv1d(3, 16, 1), nn.BatchNorm1d(16), nn.ReLU(), nn.Conv1d(16, 16, 1))
        self.cls = nn.Linear(16, 3)
        self.dec = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 3 * points))

    def forward(self, x):
        trans = self.tnet(x)
        x = torch.bmm(x.transpose(2, 1), trans).transpose(2, 1)
        code = torch.max(self.enc(x), 2)[0]
        return self.cls(code), self.dec(code).view(-1, self.points, 3), trans


def chamfer(a, b):
    d = torch.cdist(a, b)
    return d.min(2).values.mean() + d.min(1).values.mean()


def regularizer(trans):
    eye = torch.eye(trans.size(1))[None]
    return torch.mean(torch.norm(torch.bmm(trans, trans.transpose(2, 1)) - eye + 1e-6, dim=(1, 2)))


model = PointNetAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [2, 4], gamma=0.5)
for i in range(5):
    points, label = torch.randn(6, 3, 16), torch.randint(3, (6,))
    logits, recon, trans = model(points)
    loss = F.cross_entropy(logits, label) + chamfer(recon, points.transpose(1, 2)) + 1e-3 * regularizer(trans)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"{loss.item():.4f}")
