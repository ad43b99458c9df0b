"""A conditional hinge GAN with spectral norm, several critic steps, lazy R1 and an averaged generator."""

import copy

import torch
from torch import nn
from torch.nn.utils import spectral_norm


class Generator(nn.Module):
    def __init__(self, classes=3, latent=4):
        super().__init__()
        self.mapping = nn.Sequential(nn.Linear(latent, 8), nn.LeakyReLU(0.2))
        self.label = nn.Embedding(classes, 8)
        self.fc = nn.Linear(8, 16)
        self.norm = nn.BatchNorm1d(16, affine=False)
        self.out = nn.Linear(16, 2)

    def forward(self, z, y):
        style = self.mapping(z) + self.label(y)
        return torch.tanh(self.out(torch.relu(self.norm(self.fc(style)))))


class Critic(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.body = nn.Sequential(spectral_norm(nn.Linear(2, 16)), nn.LeakyReLU(0.1), spectral_norm(nn.Linear(16, 16)))
        self.head = spectral_norm(nn.Linear(16, 1))
        self.proj = spectral_norm(nn.Embedding(classes, 16))

    def forward(self, x, y):
        h = self.body(x)
        return self.head(h).squeeze(1) + (self.proj(y) * h).sum(1)


@torch.no_grad()
def update_average(target, source, beta=0.9):
    for t, s in zip(target.parameters(), source.parameters()):
        t.copy_(s.lerp(t, beta))
    for t, s in zip(target.buffers(), source.buffers()):
        t.copy_(s)


def r1_penalty(critic, real, y):
    real = real.detach().requires_grad_(True)
    score = critic(real, y)
    (grad,) = torch.autograd.grad(score.sum(), real, create_graph=True)
    return grad.pow(2).sum(1).mean()


G, D = Generator(), Critic()
G_ema = copy.deepcopy(G).eval().requires_grad_(False)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-4, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=4e-4, betas=(0.0, 0.9))
for step in range(8):
    y = torch.randint(3, (12,))
    real = torch.randn(12, 2) + y[:, None]
    with torch.no_grad():
        fake = G(torch.randn(12, 4), y)
    d_loss = torch.relu(1 - D(real, y)).mean() + torch.relu(1 + D(fake, y)).mean()
    if step % 4 == 0:
        d_loss = d_loss + 10 * r1_penalty(D, real, y)
    opt_d.zero_grad(set_to_none=True)
    d_loss.backward()
    opt_d.step()
    if step % 2:
        g_loss = -D(G(torch.randn(12, 4), y), y).mean()
        opt_g.zero_grad(set_to_none=True)
        g_loss.backward()
        opt_g.step()
        update_average(G_ema, G)
        print(f"{d_loss.item():.4f} {g_loss.item():.4f}")
print(G_ema(torch.zeros(1, 4), torch.tensor([1])).shape)
