"""Reversible blocks: activations are computed again in `backward`; others are kept elsewhere by hooks on saved tensors."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class ReversibleBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.f, self.g = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim)), nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim))

    def forward(self, x):
        x1, x2 = x.chunk(2, dim=-1)
        with torch.no_grad():
            y1 = x1 + self.f(x2)
            y2 = x2 + self.g(y1)
        return torch.cat([y1, y2], dim=-1)

    def backward_pass(self, y, dy):
        y1, y2 = y.chunk(2, dim=-1)
        dy1, dy2 = dy.chunk(2, dim=-1)
        with torch.enable_grad():
            y1 = y1.detach().requires_grad_()
            gy1 = self.g(y1)
            torch.autograd.backward(gy1, dy2)
        with torch.no_grad():
            x2 = y2 - gy1
            dx1 = dy1 + y1.grad
        with torch.enable_grad():
            x2 = x2.detach().requires_grad_()
            fx2 = self.f(x2)
            torch.autograd.backward(fx2, dx1)
        with torch.no_grad():
            x1 = y1 - fx2
            dx2 = dy2 + x2.grad
            return torch.cat([x1, x2.detach()], dim=-1), torch.cat([dx1, dx2], dim=-1)


class Reversible(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, blocks):
        for block in blocks:
            x = block(x)
        ctx.y, ctx.blocks = x.detach(), blocks
        return x

    @staticmethod
    def backward(ctx, dy):
        y = ctx.y
        for block in reversed(ctx.blocks):
            y, dy = block.backward_pass(y, dy)
        return dy, None


class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.inp, self.blocks, self.out = nn.Linear(3, dim), nn.ModuleList(ReversibleBlock(dim // 2) for _ in range(2)), nn.Linear(dim, 2)

    def forward(self, x):
        return self.out(Reversible.apply(self.inp(x), self.blocks))


net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
for step in range(4):
    loss = F.cross_entropy(net(torch.randn(8, 3)), torch.randint(2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")

plain = nn.Sequential(*[layer for _ in range(3) for layer in (nn.Linear(6, 6), nn.Dropout(0.1), nn.ReLU())], nn.Linear(6, 1))
opt = torch.optim.SGD(plain.parameters(), lr=0.05)
for step in range(3):
    x = torch.randn(8, 6, requires_grad=True)
    with saved_tensors_hooks(lambda t: t.numpy(force=True).copy() if t.dtype == torch.float32 and not isinstance(t, nn.Parameter) else t, lambda t: t if isinstance(t, torch.Tensor) else torch.from_numpy(t)):
        loss = checkpoint_sequential(plain[:-1], 2, x, use_reentrant=False).sum() * 0.01 + checkpoint(plain[-1], x, use_reentrant=False).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
