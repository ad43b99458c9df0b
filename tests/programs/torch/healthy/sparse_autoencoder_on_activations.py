"""A sparse autoencoder on a frozen model's activations: dead features are drawn again, decoder rows keep their norm."""

import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mlp, self.unembed = nn.Embedding(10, 8), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8)), nn.Linear(8, 10)

    def forward(self, x):
        h = self.embed(x)
        return self.unembed(h + self.mlp(h))


class SAE(nn.Module):
    def __init__(self, d=8, hidden=24):
        super().__init__()
        self.W_enc, self.b_enc = nn.Parameter(nn.init.kaiming_uniform_(torch.empty(d, hidden))), nn.Parameter(torch.zeros(hidden))
        self.W_dec, self.b_dec = nn.Parameter(nn.init.kaiming_uniform_(torch.empty(hidden, d))), nn.Parameter(torch.zeros(d))
        self.W_dec.data[:] = self.W_dec / self.W_dec.norm(dim=-1, keepdim=True)

    def forward(self, x):
        acts = F.relu((x - self.b_dec) @ self.W_enc + self.b_enc)
        recon = acts @ self.W_dec + self.b_dec
        l2, l1 = (recon.float() - x.float()).pow(2).sum(-1).mean(0), 3e-3 * acts.float().abs().sum()
        return l2 + l1, recon, acts

    @torch.no_grad()
    def make_decoder_weights_and_grad_unit_norm(self):
        normed = self.W_dec / self.W_dec.norm(dim=-1, keepdim=True)
        proj = (self.W_dec.grad * normed).sum(-1, keepdim=True) * normed
        self.W_dec.grad -= proj
        self.W_dec.data = normed

    @torch.no_grad()
    def resample(self, dead, optimizer):
        new = nn.init.kaiming_uniform_(torch.empty_like(self.W_enc))
        self.W_enc.data[:, dead] = new[:, dead]
        self.b_enc.data[dead] = 0.0
        for p in (self.W_enc, self.b_enc):
            for value in optimizer.state[p].values():
                if value.dim():
                    value[..., dead] = 0


model = Model().eval().requires_grad_(False)
cache = {}
handle = model.mlp.register_forward_hook(lambda module, inputs, output: cache.__setitem__("mlp", output.detach()))
sae = SAE()
optimizer = torch.optim.Adam(sae.parameters(), lr=1e-3, betas=(0.9, 0.99))
fired = torch.zeros(24)
for step in range(6):
    with torch.no_grad():
        model(torch.randint(0, 10, (32,)))
    loss, recon, acts = sae(cache["mlp"])
    loss.backward()
    sae.make_decoder_weights_and_grad_unit_norm()
    optimizer.step()
    optimizer.zero_grad()
    fired += (acts > 0).sum(0)
    if step == 3:
        sae.resample(fired < 5, optimizer)
    print(f"{loss.item():.3f}")
handle.remove()

probe, steer = nn.Linear(8, 2), nn.Parameter(torch.zeros(8))
handle = model.mlp.register_forward_hook(lambda module, inputs, output: output + steer)
optimizer = torch.optim.Adam([steer], lr=0.1)
for step in range(4):
    loss = F.cross_entropy(model(torch.arange(10)), torch.full((10,), 3))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
handle.remove()
print(f"{loss.item():.3f}")
