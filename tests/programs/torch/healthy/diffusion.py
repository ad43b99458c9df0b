"""A tiny diffusion model with an exponential average of its weights."""

import torch
from torch import nn
import torch.nn.functional as F

class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(10, 4)
        self.net = nn.Sequential(nn.Linear(6, 16), nn.SiLU(), nn.Linear(16, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], 1))


model, average = Denoiser(), Denoiser()
average.load_state_dict(model.state_dict())
alphas = torch.linspace(0.99, 0.1, 10)
opt = torch.optim.AdamW(model.parameters())
for step in range(4):
    x, t = torch.randn(8, 2), torch.randint(0, 10, (8,))
    noise = torch.randn_like(x)
    a = alphas[t][:, None]
    loss = F.mse_loss(model(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for old, new in zip(average.parameters(), model.parameters()):
            old.lerp_(new, 0.1)
    print(f"{loss.item():.4f}")
