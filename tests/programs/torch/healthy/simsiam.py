"""Two views, each predicted from the other one's detached projection."""

import torch
from torch import nn
import torch.nn.functional as F

encoder, predictor = nn.Linear(6, 4), nn.Linear(4, 4)
opt = torch.optim.SGD([*encoder.parameters(), *predictor.parameters()], lr=0.05)
for step in range(5):
    x = torch.randn(8, 6)
    a, b = encoder(x), encoder(x + 0.1)
    loss = -(F.cosine_similarity(predictor(a), b.detach()).mean() + F.cosine_similarity(predictor(b), a.detach()).mean())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
