"""Differential privacy: per-sample gradients by vmap and by hooks, clipped, summed, with noise, written to `.grad`."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap

model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
clip, noise = 1.0, 0.3


def sample_loss(params, buffers, x, y):
    logits = functional_call(model, (params, buffers), (x.unsqueeze(0),))
    return F.cross_entropy(logits, y.unsqueeze(0))


per_sample = vmap(grad(sample_loss), in_dims=(None, None, 0, 0), randomness="different")
for step in range(4):
    x, y = torch.randn(8, 5), torch.randint(3, (8,))
    params = {k: v.detach() for k, v in model.named_parameters()}
    grads = per_sample(params, dict(model.named_buffers()), x, y)
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
    factor = (clip / (norms + 1e-6)).clamp(max=1.0)
    optimizer.zero_grad()
    for name, p in model.named_parameters():
        g = torch.einsum("n,n...->...", factor, grads[name])
        p.grad = (g + noise * clip * torch.randn_like(g)) / len(x)
    optimizer.step()
    print(f"{norms.mean().item():.4f}")

activations = {}
handles = []
for name, layer in model.named_modules():
    if isinstance(layer, nn.Linear):
        handles.append(layer.register_forward_hook(lambda mod, inp, out, n=name: activations.__setitem__(n, inp[0].detach())))
        handles.append(layer.register_full_backward_hook(lambda mod, gi, go, n=name: setattr(mod.weight, "grad_sample", torch.einsum("ni,nj->nij", go[0], activations[n]))))
for step in range(3):
    x, y = torch.randn(8, 5), torch.randint(3, (8,))
    F.cross_entropy(model(x), y, reduction="sum").backward()
    for p in model.parameters():
        if hasattr(p, "grad_sample"):
            g = p.grad_sample
            p.grad = (g * (clip / g.flatten(1).norm(dim=1).clamp(min=clip))[:, None, None]).mean(0)
    optimizer.step()
    optimizer.zero_grad()
for handle in handles:
    handle.remove()
print(len(activations))
