"""A neural ODE whose adjoint is a custom function that takes gradients of a call of its own."""

import torch
from torch import nn


class ODEFunc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, t, y):
        return self.net(y**3)


def rk4(func, y, t0, dt):
    k1 = func(t0, y)
    k2 = func(t0 + dt / 2, y + dt * k1 / 2)
    k3 = func(t0 + dt / 2, y + dt * k2 / 2)
    k4 = func(t0 + dt, y + dt * k3)
    return y + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, times, y0, *params):
        ctx.func, ctx.times = func, times
        with torch.no_grad():
            path = [y0]
            for t0, t1 in zip(times[:-1], times[1:]):
                path.append(rk4(func, path[-1], t0, t1 - t0))
        path = torch.stack(path)
        ctx.save_for_backward(path, *params)
        return path

    @staticmethod
    def backward(ctx, grad_path):
        path, *params = ctx.saved_tensors
        adjoint = grad_path[-1].clone()
        grads = [torch.zeros_like(p) for p in params]
        for i in range(len(ctx.times) - 2, -1, -1):
            dt = ctx.times[i + 1] - ctx.times[i]
            with torch.enable_grad():
                y = path[i].detach().requires_grad_(True)
                out = rk4(ctx.func, y, ctx.times[i], dt)
                found = torch.autograd.grad(out, (y, *params), adjoint, allow_unused=True)
            adjoint = found[0] + grad_path[i]
            grads = [g + f if f is not None else g for g, f in zip(grads, found[1:])]
        return (None, None, adjoint, *grads)


func = ODEFunc()
true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
times = torch.linspace(0.0, 1.0, 6)
with torch.no_grad():
    truth = [torch.tensor([[2.0, 0.0]])]
    for t0, t1 in zip(times[:-1], times[1:]):
        truth.append(rk4(lambda t, y: (y**3) @ true_A, truth[-1], t0, (t1 - t0) * 0.1))
    truth = torch.stack(truth)
optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
for itr in range(5):
    optimizer.zero_grad()
    pred = Adjoint.apply(func, times, truth[0], *func.parameters())
    loss = (pred - truth).abs().mean()
    loss.backward()
    optimizer.step()
    if itr % 2 == 0:
        with torch.no_grad():
            print(f"{itr} {Adjoint.apply(func, times, truth[0], *func.parameters()).shape} {loss.item():.4f}")
