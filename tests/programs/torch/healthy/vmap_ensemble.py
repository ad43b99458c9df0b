"""An ensemble by functional_call and vmap, trained with per-sample gradients."""

import torch
from torch import nn
import torch.nn.functional as F

from torch.func import functional_call, grad, stack_module_state, vmap

models = [nn.Linear(4, 1) for _ in range(3)]
params, buffers = stack_module_state(models)
base = nn.Linear(4, 1)


def loss_of(p, x, y):
    return (functional_call(base, p, (x,)) - y).pow(2).mean()


opt = torch.optim.SGD(params.values(), lr=0.1)
for step in range(4):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    losses = vmap(loss_of, in_dims=(0, None, None))(params, x, y)
    opt.zero_grad()
    losses.sum().backward()
    opt.step()
    per_sample = vmap(grad(loss_of), in_dims=(None, 0, 0))({k: v[0].detach() for k, v in params.items()}, x, y)
    print(f"{losses.sum().item():.4f} {per_sample['weight'].shape}")
