"""The loop of many tutorials: one loop for both phases, with set_grad_enabled."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(3):
    for phase in ["train", "val"]:
        model.train() if phase == "train" else model.eval()
        total = 0.0
        for _ in range(2):
            x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
            opt.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                out = model(x)
                _, preds = torch.max(out, 1)
                loss = F.cross_entropy(out, y)
                if phase == "train":
                    loss.backward()
                    opt.step()
            total += loss.item() * x.size(0)
        print(f"{phase} {total:.4f}")
