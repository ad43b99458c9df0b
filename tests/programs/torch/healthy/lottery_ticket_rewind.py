"""The lottery ticket: weights are rewound to their first values, and hooks keep the pruned ones at zero."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

model = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 2))
initial = copy.deepcopy(model.state_dict())
x = torch.randn(64, 6)
y = (x[:, 0] > 0).long()
masks = {name: torch.ones_like(p) for name, p in model.named_parameters() if "weight" in name}
handles = []
for round_ in range(3):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(4):
        index = torch.randperm(64)[:16]
        loss = F.cross_entropy(model(x[index]), y[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{round_} {loss.item():.4f} {sum(int(m.sum()) for m in masks.values())}")
    for name, p in model.named_parameters():
        if name in masks:
            alive = p.data[masks[name].bool()].abs()
            cut = alive.quantile(0.3)
            masks[name] = masks[name] * (p.data.abs() > cut).float()
    model.load_state_dict(initial)
    for handle in handles:
        handle.remove()
    handles.clear()
    for name, p in model.named_parameters():
        if name in masks:
            p.data.mul_(masks[name])
            handles.append(p.register_hook(lambda grad, mask=masks[name]: grad * mask))
