"""Forward hooks that keep activations, and backward hooks that look at gradients."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
kept, seen = {}, []
model[0].register_forward_hook(lambda m, i, o: kept.__setitem__("first", o.detach()))
model[2].register_full_backward_hook(lambda m, gi, go: seen.append(go[0].norm().item()))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    out = model(torch.randn(8, 4))
    out.register_hook(lambda g: g * 0.5)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f} {kept['first'].mean():.4f} {len(seen)}")
