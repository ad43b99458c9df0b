"""VQGAN: the weight of the adversarial term comes from two gradients; the codebook is a moving average."""

import torch
import torch.nn.functional as F
from torch import nn


class EMAQuantizer(nn.Module):
    def __init__(self, count=8, dim=4, decay=0.9):
        super().__init__()
        embed = torch.randn(count, dim)
        self.decay = decay
        self.register_buffer("embed", embed)
        self.register_buffer("cluster", torch.ones(count))
        self.register_buffer("average", embed.clone())

    def forward(self, z):
        index = torch.cdist(z, self.embed).argmin(1)
        onehot = F.one_hot(index, len(self.embed)).type(z.dtype)
        quant = F.embedding(index, self.embed)
        if self.training:
            with torch.no_grad():
                self.cluster.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
                self.average.mul_(self.decay).add_(onehot.t() @ z, alpha=1 - self.decay)
                self.embed.copy_(self.average / self.cluster.clamp(min=1e-3)[:, None])
        commit = F.mse_loss(z, quant.detach())
        return z + (quant - z).detach(), commit


class VQGAN(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 16), nn.SiLU(), nn.Linear(16, 4))
        self.quantize = EMAQuantizer()
        self.decoder = nn.Sequential(nn.Linear(4, 16), nn.SiLU(), nn.Linear(16, 6))

    def get_last_layer(self):
        return self.decoder[-1].weight


def adaptive_weight(nll, g_loss, last_layer):
    nll_grads = torch.autograd.grad(nll, last_layer, retain_graph=True)[0]
    g_grads = torch.autograd.grad(g_loss, last_layer, retain_graph=True)[0]
    return torch.clamp(nll_grads.norm() / (g_grads.norm() + 1e-4), 0.0, 1e4).detach()


model = VQGAN()
disc = nn.Sequential(nn.Linear(6, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt_ae = torch.optim.Adam(list(model.encoder.parameters()) + list(model.decoder.parameters()), lr=1e-3)
opt_disc = torch.optim.Adam(disc.parameters(), lr=1e-3)
disc_start = 2
for global_step in range(6):
    x = torch.randn(16, 6)
    quant, commit = model.quantize(model.encoder(x))
    recon = model.decoder(quant)
    nll = (x - recon).abs().mean()
    g_loss = -disc(recon).mean()
    factor = 1.0 if global_step >= disc_start else 0.0
    loss = nll + adaptive_weight(nll, g_loss, model.get_last_layer()) * factor * g_loss + 0.25 * commit
    opt_ae.zero_grad()
    loss.backward()
    opt_ae.step()
    logits_real, logits_fake = disc(x.contiguous().detach()), disc(recon.contiguous().detach())
    d_loss = factor * 0.5 * (F.relu(1.0 - logits_real).mean() + F.relu(1.0 + logits_fake).mean())
    opt_disc.zero_grad()
    d_loss.backward()
    opt_disc.step()
    print(f"{global_step} {nll.item():.4f} {d_loss.item():.4f}")
