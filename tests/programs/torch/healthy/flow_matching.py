"""Conditional flow matching with minibatch assignment, an ODE solved for samples and a cosine schedule."""

import argparse

import torch
from torch import nn


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=32)
    return parser.parse_args(argv)


class VectorField(nn.Module):
    def __init__(self, dim=2, width=32):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(dim + 1, width), nn.Linear(width, width), nn.Linear(width, dim)])

    def forward(self, t, x):
        if t.dim() == 0:
            t = t.expand(x.shape[0])
        h = torch.cat((x, t[:, None]), dim=1)
        for layer in self.layers[:-1]:
            h = torch.nn.functional.elu(layer(h))
        return self.layers[-1](h)


@torch.no_grad()
def integrate(field, x, steps=5):
    for i in range(steps):
        t = torch.tensor(i / steps)
        k1 = field(t, x)
        k2 = field(t + 1 / steps, x + k1 / steps)
        x = x + (k1 + k2) / (2 * steps)
    return x


def main():
    args = parse([])
    field = VectorField()
    optimizer = torch.optim.AdamW(field.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.steps)
    best = float("inf")
    for step in range(args.steps):
        x0 = torch.randn(args.batch, 2)
        x1 = torch.randn(args.batch, 2) * 0.2 + torch.tensor([2.0, 0.0])
        order = torch.cdist(x0, x1).argmin(dim=1)
        x1 = x1[order]
        t = torch.rand(args.batch)
        xt = torch.lerp(x0, x1, t[:, None])
        loss = (field(t, xt) - (x1 - x0)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        best = min(best, loss.item())
    print(f"{best:.4f}", integrate(field, torch.randn(8, 2)).mean(0).shape)


if __name__ == "__main__":
    main()
