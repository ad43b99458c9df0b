"""Curvature: Hessian-vector products, a Hutchinson trace, conjugate gradients and a Gauss-Newton step."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, jvp, vjp


def hvp(loss_fn, params, vec):
    grads = torch.autograd.grad(loss_fn(), params, create_graph=True)
    flat = torch.cat([g.reshape(-1) for g in grads])
    out = torch.autograd.grad(flat @ vec, params, retain_graph=True)
    return torch.cat([o.reshape(-1) for o in out]).detach()


def trace(loss_fn, params, samples=4):
    n, total = sum(p.numel() for p in params), 0.0
    for _ in range(samples):
        v = torch.randint(0, 2, (n,)).float() * 2 - 1
        total += v @ hvp(loss_fn, params, v)
    return total / samples


def conjugate_gradient(product, b, rounds=5):
    x, r = torch.zeros_like(b), b.clone()
    p, rs = r.clone(), r @ r
    for _ in range(rounds):
        Ap = product(p)
        alpha = rs / (p @ Ap + 1e-8)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p, rs = r + (new / rs) * p, new
    return x


model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
x, y = torch.randn(16, 3), torch.randint(2, (16,))
params = list(model.parameters())
for step in range(3):
    loss_fn = lambda: F.cross_entropy(model(x), y)
    grad = torch.cat([g.reshape(-1) for g in torch.autograd.grad(loss_fn(), params)])
    direction = conjugate_gradient(lambda v: hvp(loss_fn, params, v) + 0.5 * v, grad)
    at = 0
    with torch.no_grad():
        for p in params:
            p -= direction[at : at + p.numel()].view_as(p)
            at += p.numel()
    print(f"{loss_fn().item():.4f}")
print(trace(loss_fn, params).shape)

named = {name: p.detach() for name, p in model.named_parameters()}
call = lambda ps: functional_call(model, ps, (x,))
tangents = {name: torch.randn_like(p) for name, p in named.items()}
out, jv = jvp(call, (named,), (tangents,))
hv = jv.softmax(-1) * 0.1
_, pull = vjp(call, named)
(gnvp,) = pull(hv)
print({name: tuple(g.shape) for name, g in gnvp.items()})
