"""A data set and loader, metrics in NumPy, early stopping."""

import torch
from torch import nn
import torch.nn.functional as F

import numpy as np
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(64, 5)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
for epoch in range(3):
    losses, right = [], 0
    for batch, label in DataLoader(TensorDataset(x, y), batch_size=16, shuffle=False):
        logits = model(batch)
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.detach().cpu().numpy())
        right += (logits.argmax(1) == label).sum().item()
    print(f"{np.mean(losses):.4f} {right}")
