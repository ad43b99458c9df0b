"""A variational autoencoder with the reparameterization trick."""

import torch
from torch import nn
import torch.nn.functional as F

encode, decode = nn.Linear(6, 4), nn.Linear(2, 6)
opt = torch.optim.Adam([*encode.parameters(), *decode.parameters()])
for step in range(4):
    x = torch.rand(8, 6)
    mean, logvar = encode(x).chunk(2, 1)
    z = torch.distributions.Normal(mean, (0.5 * logvar).exp()).rsample()
    loss = F.mse_loss(decode(z), x) - 0.5 * (1 + logvar - mean.pow(2) - logvar.exp()).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
