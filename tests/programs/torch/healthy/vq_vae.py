"""A straight-through codebook with its two losses."""

import torch
from torch import nn
import torch.nn.functional as F

encoder, decoder, book = nn.Linear(6, 4), nn.Linear(4, 6), nn.Embedding(8, 4)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters(), *book.parameters()])
for step in range(5):
    x = torch.randn(8, 6)
    z = encoder(x)
    index = torch.cdist(z, book.weight).argmin(1)
    q = book(index)
    straight = z + (q - z).detach()
    loss = F.mse_loss(decoder(straight), x) + F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
