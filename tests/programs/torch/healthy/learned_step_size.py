"""Quantisation-aware training with a learned step size: rounding with a straight-through estimate."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def grad_scale(x, scale):
    y_grad = x * scale
    return (x - y_grad).detach() + y_grad


def round_pass(x):
    return (x.round() - x).detach() + x


class LsqQuan(nn.Module):
    def __init__(self, bits=4, signed=True):
        super().__init__()
        self.low, self.high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        self.s = nn.Parameter(torch.ones(1))

    def init_from(self, x):
        self.s = nn.Parameter(x.detach().abs().mean() * 2 / math.sqrt(self.high))

    def forward(self, x):
        s = grad_scale(self.s, 1.0 / math.sqrt(self.high * x.numel()))
        x = torch.clamp(x / s, self.low, self.high)
        return round_pass(x) * s


class QuanLinear(nn.Linear):
    def __init__(self, inp, out):
        super().__init__(inp, out)
        self.weight_quan, self.act_quan = LsqQuan(), LsqQuan(signed=False)
        self.weight_quan.init_from(self.weight)

    def forward(self, x):
        return F.linear(self.act_quan(x), self.weight_quan(self.weight), self.bias)


class FakeQuantSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, levels):
        ctx.save_for_backward((x / scale).abs() <= levels)
        return torch.clamp(torch.round(x / scale), -levels, levels) * scale

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        return grad * mask, None, None


model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), QuanLinear(16, 16), nn.ReLU(), QuanLinear(16, 2))
observer = {"max": 0.0}
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(6):
    x, y = torch.randn(16, 4), torch.randint(2, (16,))
    observer["max"] = max(observer["max"], x.abs().max().item())
    x = FakeQuantSTE.apply(x, observer["max"] / 127, 127)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f} {model[2].act_quan.s.item() > 0}")
