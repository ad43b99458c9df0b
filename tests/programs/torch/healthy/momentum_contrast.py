"""Contrastive learning with a momentum encoder and a queue of keys."""

import torch
from torch import nn
import torch.nn.functional as F

import copy

query = nn.Linear(6, 4)
key = copy.deepcopy(query)
for each in key.parameters():
    each.requires_grad = False
queue = F.normalize(torch.randn(16, 4), dim=1)
opt = torch.optim.SGD(query.parameters(), lr=0.1)
for step in range(5):
    x = torch.randn(8, 6)
    q = F.normalize(query(x + 0.1 * torch.randn_like(x)), dim=1)
    with torch.no_grad():
        for k_param, q_param in zip(key.parameters(), query.parameters()):
            k_param.data = k_param.data * 0.9 + q_param.data * 0.1
        k = F.normalize(key(x), dim=1)
    logits = torch.cat([(q * k).sum(1, keepdim=True), q @ queue.t()], 1) / 0.1
    loss = F.cross_entropy(logits, torch.zeros(8, dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    queue = torch.cat([k, queue])[:16]
    print(f"{loss.item():.4f}")
