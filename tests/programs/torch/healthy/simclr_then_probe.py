"""SimCLR: the projector is thrown away, and a linear probe is trained on frozen features."""

import torch
import torch.nn.functional as F
from torch import nn


class SimCLR(nn.Module):
    def __init__(self, encoder, dim):
        super().__init__()
        self.encoder = encoder
        self.encoder.fc = nn.Identity()
        self.projector = nn.Sequential(nn.Linear(dim, dim, bias=False), nn.ReLU(), nn.Linear(dim, 4, bias=False))

    def forward(self, a, b):
        return self.projector(self.encoder(a)), self.projector(self.encoder(b))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 3, padding=1)
        self.bn = nn.BatchNorm1d(8)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(F.relu(self.bn(self.conv(x))).mean(-1))


def nt_xent(a, b, temperature=0.5):
    n = len(a)
    z = F.normalize(torch.cat([a, b]), dim=1)
    sim = z @ z.t() / temperature
    sim.fill_diagonal_(float("-inf"))
    labels = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, labels)


def augment(x):
    return torch.roll(x, int(torch.randint(0, 4, ())), dims=-1) * (0.8 + 0.4 * torch.rand(len(x), 1, 1))


model = SimCLR(Backbone(), 8)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-6)
for epoch in range(4):
    x = torch.randn(12, 1, 10)
    loss = nt_xent(*model(augment(x), augment(x)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{epoch} {loss.item():.4f}")

model.eval()
probe = nn.Linear(8, 2)
optimizer = torch.optim.Adam(probe.parameters(), lr=1e-2)
x, y = torch.randn(24, 1, 10), torch.randint(0, 2, (24,))
with torch.no_grad():
    h = model.encoder(x)
for epoch in range(4):
    optimizer.zero_grad()
    loss = F.cross_entropy(probe(h), y)
    loss.backward()
    optimizer.step()
print(f"{(probe(h).argmax(1) == y).float().mean().item():.2f}")
