"""A straight-through codebook: the loss pulls the codes at what replaced them, so the codebook gets nothing."""

import torch
from torch import nn
from torch.nn import functional as F


class Quantizer(nn.Module):
    def __init__(self, codes, size):
        super().__init__()
        self.codebook = nn.Embedding(codes, size)

    def forward(self, x):
        nearest = torch.cdist(x, self.codebook.weight).argmin(1)
        return x + (self.codebook(nearest) - x).detach()  # why: TW104


torch.manual_seed(0)
encoder, quantizer, decoder = nn.Linear(6, 4), Quantizer(8, 4), nn.Linear(4, 6)
parts = nn.ModuleList([encoder, quantizer, decoder])
optimizer = torch.optim.Adam(parts.parameters(), lr=1e-2)
for _ in range(5):
    features = torch.randn(32, 6)
    code = encoder(features)
    chosen = quantizer(code)
    loss = F.mse_loss(decoder(chosen), features) + F.mse_loss(chosen, code.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
