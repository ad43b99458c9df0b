"""Training with validation under no_grad and inference_mode, checkpoints saved and loaded."""

import torch
from torch import nn
import torch.nn.functional as F

import io

model = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.1), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters())
schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: min(1.0, step / 3))
best = float("inf")
for epoch in range(4):
    model.train()
    for _ in range(2):
        loss = model(torch.randn(8, 6)).pow(2).mean()
        opt.zero_grad(set_to_none=False)
        loss.backward()
        opt.step()
        schedule.step()
    model.eval()
    with torch.inference_mode():
        score = model(torch.ones(4, 6)).pow(2).mean().item()
    if score < best:
        best = score
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "opt": opt.state_dict()}, file)
    print(f"{score:.4f}")
file.seek(0)
model.load_state_dict(torch.load(file)["model"])
