"""Maximum classifier discrepancy: three steps per batch over one generator and two classifiers; CORAL beside it."""

import torch
import torch.nn.functional as F
from torch import nn

G = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU())
C1, C2 = nn.Linear(16, 3), nn.Linear(16, 3)
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3)
opt_c1, opt_c2 = torch.optim.Adam(C1.parameters(), lr=2e-3), torch.optim.Adam(C2.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()


def reset_grad():
    opt_g.zero_grad()
    opt_c1.zero_grad()
    opt_c2.zero_grad()


def discrepancy(a, b):
    return torch.mean(torch.abs(F.softmax(a, dim=1) - F.softmax(b, dim=1)))


def coral(source, target):
    d = source.size(1)
    cov = lambda x: (x - x.mean(0)).t() @ (x - x.mean(0)) / (len(x) - 1)
    return (cov(source) - cov(target)).pow(2).sum() / (4 * d * d)


for batch in range(4):
    xs, ys, xt = torch.randn(12, 4), torch.randint(3, (12,)), torch.randn(12, 4) + 0.5
    reset_grad()
    feat_s = G(xs)
    loss_s = criterion(C1(feat_s), ys) + criterion(C2(feat_s), ys) + 0.1 * coral(feat_s, G(xt))
    loss_s.backward()
    opt_g.step()
    opt_c1.step()
    opt_c2.step()
    reset_grad()

    feat_s, feat_t = G(xs), G(xt)
    loss_s = criterion(C1(feat_s), ys) + criterion(C2(feat_s), ys)
    loss = loss_s - discrepancy(C1(feat_t), C2(feat_t))
    loss.backward()
    opt_c1.step()
    opt_c2.step()
    reset_grad()

    for _ in range(2):
        feat_t = G(xt)
        loss_dis = discrepancy(C1(feat_t), C2(feat_t))
        loss_dis.backward()
        opt_g.step()
        reset_grad()
    print(f"{loss_s.item():.4f} {loss_dis.item():.4f}")
