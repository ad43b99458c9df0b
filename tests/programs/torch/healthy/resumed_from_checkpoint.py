"""Training is interrupted, saved, and resumed: model, optimizer, schedule, generators; then loaded with other heads."""

import io
import random

import torch
import torch.nn.functional as F
from torch import nn


def build(classes=3):
    return nn.ModuleDict({"body": nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU()), "head": nn.Linear(8, classes)})


def setup(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, amsgrad=True)
    return optimizer, torch.optim.lr_scheduler.SequentialLR(optimizer, [torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=2), torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)], milestones=[2])


def run(model, optimizer, scheduler, steps):
    model.train()
    losses = []
    for _ in range(steps):
        x = torch.randn(8, 4)
        loss = F.cross_entropy(model["head"](model["body"](x)), x.argmax(1) % 3)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


torch.manual_seed(3)
model = build()
optimizer, scheduler = setup(model)
print(len(run(model, optimizer, scheduler, 3)))
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(), "rng": torch.get_rng_state(), "python": random.getstate()}, file)
ahead = run(model, optimizer, scheduler, 3)

file.seek(0)
state = torch.load(file, weights_only=False)
model = build()
optimizer, scheduler = setup(model)
model.load_state_dict(state["model"])
optimizer.load_state_dict(state["optimizer"])
scheduler.load_state_dict(state["scheduler"])
torch.set_rng_state(state["rng"])
print(ahead == run(model, optimizer, scheduler, 3))

new = build(classes=5)
weights = {k: v for k, v in state["model"].items() if not k.startswith("head")}
missing, unexpected = new.load_state_dict(weights, strict=False)
print(missing, unexpected)
new["body"].requires_grad_(False)
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, new.parameters()), lr=0.1)
for step in range(3):
    new.train()
    new["body"].eval()
    loss = F.cross_entropy(new["head"](new["body"](torch.randn(8, 4))), torch.randint(5, (8,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
new["body"].requires_grad_(True)
optimizer.add_param_group({"params": new["body"].parameters(), "lr": 0.01})
for step in range(3):
    loss = F.cross_entropy(new["head"](new["body"](torch.randn(8, 4))), torch.randint(5, (8,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item() > 0}")
