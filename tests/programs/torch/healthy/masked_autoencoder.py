"""A masked autoencoder: patches are dropped by an index, a mask token stands in, positions are fixed."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class MAE(nn.Module):
    def __init__(self, patches=8, patch=6, dim=12, dec=8):
        super().__init__()
        self.patch_embed = nn.Linear(patch, dim)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.randn(1, patches + 1, dim) * 0.1, requires_grad=False)
        self.encoder = nn.ModuleList([Block(dim) for _ in range(2)])
        self.norm = nn.LayerNorm(dim)
        self.decoder_embed = nn.Linear(dim, dec)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, dec))
        self.decoder_pos = nn.Parameter(torch.randn(1, patches + 1, dec) * 0.1, requires_grad=False)
        self.decoder = Block(dec)
        self.pred = nn.Linear(dec, patch)
        nn.init.normal_(self.cls_token, std=0.02)
        nn.init.normal_(self.mask_token, std=0.02)

    def forward(self, patches, ratio=0.5):
        x = self.patch_embed(patches) + self.pos_embed[:, 1:]
        batch, length, dim = x.shape
        keep = int(length * (1 - ratio))
        shuffle = torch.rand(batch, length).argsort(dim=1)
        restore = shuffle.argsort(dim=1)
        x = torch.gather(x, 1, shuffle[:, :keep, None].expand(-1, -1, dim))
        mask = torch.ones(batch, length)
        mask[:, :keep] = 0
        mask = torch.gather(mask, 1, restore)
        x = torch.cat([(self.cls_token + self.pos_embed[:, :1]).expand(batch, -1, -1), x], dim=1)
        for block in self.encoder:
            x = block(x)
        x = self.decoder_embed(self.norm(x))
        tokens = torch.cat([x[:, 1:], self.mask_token.repeat(batch, length - keep, 1)], dim=1)
        tokens = torch.gather(tokens, 1, restore[:, :, None].expand(-1, -1, x.shape[2]))
        x = torch.cat([x[:, :1], tokens], dim=1) + self.decoder_pos
        pred = self.pred(self.decoder(x))[:, 1:]
        return (((pred - patches) ** 2).mean(-1) * mask).sum() / mask.sum()


model = MAE()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3, betas=(0.9, 0.95))
for step in range(4):
    loss = model(torch.randn(4, 8, 6))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
