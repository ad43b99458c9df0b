"""Sinkhorn matching, soft dynamic time warping as a custom function over NumPy, and a soft sort."""

import numpy as np
import torch
from torch import nn


def sinkhorn(cost, eps=0.1, rounds=10):
    n, m = cost.shape
    u, v = torch.zeros(n), torch.zeros(m)
    a, b = -torch.log(torch.tensor(float(n))), -torch.log(torch.tensor(float(m)))
    for _ in range(rounds):
        u = eps * (a - torch.logsumexp((v - cost) / eps, dim=1))
        v = eps * (b - torch.logsumexp((u[:, None] - cost) / eps, dim=0))
    return torch.exp((u[:, None] + v - cost) / eps)


class SoftDTW(torch.autograd.Function):
    @staticmethod
    def forward(ctx, D, gamma):
        d = D.detach().numpy().astype(float)
        n, m = d.shape
        R = np.full((n + 2, m + 2), np.inf)
        R[0, 0] = 0
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                r = -np.array([R[i - 1, j - 1], R[i - 1, j], R[i, j - 1]]) / gamma
                top = r.max()
                R[i, j] = d[i - 1, j - 1] - gamma * (np.log(np.exp(r - top).sum()) + top)
        ctx.gamma = gamma
        ctx.save_for_backward(D, torch.from_numpy(R))
        return torch.tensor(R[n, m], dtype=D.dtype)

    @staticmethod
    def backward(ctx, grad):
        D, R = ctx.saved_tensors
        d, R, gamma = D.detach().numpy(), R.numpy().copy(), ctx.gamma
        n, m = d.shape
        pad = np.zeros((n + 2, m + 2))
        pad[1 : n + 1, 1 : m + 1] = d
        E = np.zeros((n + 2, m + 2))
        E[-1, -1] = 1
        R[:, -1] = R[-1, :] = -np.inf
        R[-1, -1] = R[-2, -2]
        for j in range(m, 0, -1):
            for i in range(n, 0, -1):
                a = np.exp((R[i + 1, j] - R[i, j] - pad[i + 1, j]) / gamma)
                b = np.exp((R[i, j + 1] - R[i, j] - pad[i, j + 1]) / gamma)
                c = np.exp((R[i + 1, j + 1] - R[i, j] - pad[i + 1, j + 1]) / gamma)
                E[i, j] = E[i + 1, j] * a + E[i, j + 1] * b + E[i + 1, j + 1] * c
        return grad * torch.from_numpy(E[1 : n + 1, 1 : m + 1]).to(D.dtype), None


net = nn.GRU(2, 6, batch_first=True)
head, embed = nn.Linear(6, 2), nn.Linear(2, 3)
opt = torch.optim.Adam([*net.parameters(), *head.parameters(), *embed.parameters()], lr=1e-2)
for step in range(4):
    x, y = torch.randn(1, 5, 2), torch.randn(6, 2)
    pred = head(net(x)[0])[0]
    dtw = SoftDTW.apply(torch.cdist(pred, y).pow(2), 0.5)
    cost = torch.cdist(embed(pred), embed(y))
    with torch.no_grad():
        plan = sinkhorn(cost)
    hard = (plan * cost).sum()
    scores = embed(y).sum(1)
    P = torch.softmax(-(scores[:, None] - scores.sort(descending=True).values).abs() / 0.5, 0)
    ranked = (P * torch.arange(6.0)).sum(1)
    loss = 0.1 * dtw + hard + 0.01 * (ranked - y[:, 0].argsort().argsort()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
