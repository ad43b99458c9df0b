"""A radiance field: coarse and fine networks, samples drawn from detached weights, poses learned from the third step."""

import torch
from torch import nn


def encode(x, levels=3):
    return torch.cat([x] + [f(x * 2**i) for i in range(levels) for f in (torch.sin, torch.cos)], -1)


class NeRF(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.pts = nn.ModuleList([nn.Linear(21, width), nn.Linear(width + 21, width)])
        self.alpha, self.feature = nn.Linear(width, 1), nn.Linear(width, width)
        self.rgb = nn.Linear(width + 21, 3)

    def forward(self, pts, dirs):
        e = encode(pts)
        h = torch.relu(self.pts[0](e))
        h = torch.relu(self.pts[1](torch.cat([h, e], -1)))
        return torch.sigmoid(self.rgb(torch.cat([self.feature(h), encode(dirs)], -1))), self.alpha(h).squeeze(-1)


def render(net, o, d, t, noise=0.0):
    pts = o[:, None] + d[:, None] * t[..., None]
    rgb, raw = net(pts, d[:, None].expand_as(pts))
    delta = torch.cat([t[:, 1:] - t[:, :-1], torch.full_like(t[:, :1], 1e10)], -1)
    alpha = 1.0 - torch.exp(-torch.relu(raw + noise * torch.randn_like(raw)) * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1.0 - alpha + 1e-10], -1), -1)[:, :-1]
    weights = alpha * trans
    return (weights[..., None] * rgb).sum(1), weights


def sample_pdf(bins, weights, n):
    pdf = (weights + 1e-5) / (weights + 1e-5).sum(-1, keepdim=True)
    cdf = torch.cat([torch.zeros_like(pdf[:, :1]), torch.cumsum(pdf, -1)], -1)
    u = torch.rand(len(bins), n)
    at = torch.searchsorted(cdf.contiguous(), u.contiguous(), right=True).clamp(1, bins.shape[1] - 1)
    return torch.gather(bins, 1, at - 1) + (torch.gather(bins, 1, at) - torch.gather(bins, 1, at - 1)) * torch.rand_like(u)


torch.manual_seed(0)
coarse, fine = NeRF(), NeRF()
shift = nn.Parameter(torch.zeros(4, 3))
optimizer = torch.optim.Adam([{"params": [*coarse.parameters(), *fine.parameters()], "lr": 5e-3}, {"params": [shift], "lr": 1e-3}])
cameras, target = torch.randn(4, 3) * 0.1 + torch.tensor([0.0, 0.0, -3.0]), torch.rand(4, 8, 3)
for i in range(6):
    view = i % 4
    d = torch.nn.functional.normalize(torch.randn(8, 3) * 0.1 + torch.tensor([0.0, 0.0, 1.0]), dim=-1)
    offset = shift[view] if i >= 2 else shift[view].detach()
    o = (cameras[view] + offset).expand(8, 3)
    t = torch.linspace(2, 4, 8).expand(8, 8) + torch.rand(8, 8) * 0.25
    rgb0, weights = render(coarse, o, d, t, noise=1.0)
    mid = 0.5 * (t[:, 1:] + t[:, :-1])
    extra = sample_pdf(mid, weights[:, 1:-1], 6).detach()
    rgb, _ = render(fine, o, d, torch.sort(torch.cat([t, extra], -1), -1).values, noise=1.0)
    loss = (rgb - target[view]).pow(2).mean() + (rgb0 - target[view]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for group in optimizer.param_groups:
        group["lr"] *= 0.99
    print(f"{loss.item():.4f}")
