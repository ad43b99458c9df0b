"""Adapters by name on a frozen transformer, one task per batch, prompts, bias tuning; at the end they are merged."""

import random

import torch
import torch.nn.functional as F
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base, self.active = base, None
        self.lora_A, self.lora_B = nn.ModuleDict(), nn.ModuleDict()
        self.dropout = nn.Dropout(0.05)

    def add(self, name, r=2):
        self.lora_A[name] = nn.Linear(self.base.in_features, r, bias=False)
        self.lora_B[name] = nn.Linear(r, self.base.out_features, bias=False)
        nn.init.zeros_(self.lora_B[name].weight)

    def forward(self, x):
        out = self.base(x)
        if self.active is not None:
            out = out + self.lora_B[self.active](self.lora_A[self.active](self.dropout(x))) * 2.0
        return out

    @torch.no_grad()
    def merge(self, name):
        self.base.weight += self.lora_B[name].weight @ self.lora_A[name].weight * 2.0
        del self.lora_A[name], self.lora_B[name]
        self.active = None


class Tiny(nn.Module):
    def __init__(self, dim=8, tasks=("a", "b")):
        super().__init__()
        self.embed = nn.Embedding(10, dim)
        self.q, self.v, self.norm = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.LayerNorm(dim)
        self.requires_grad_(False)
        self.norm.bias.requires_grad_(True)
        self.q, self.v = LoraLinear(self.q), LoraLinear(self.v)
        self.heads = nn.ModuleDict({t: nn.Linear(dim, 2) for t in tasks})
        self.prompts = nn.ParameterDict({t: nn.Parameter(torch.randn(2, dim) * 0.02) for t in tasks})
        for t in tasks:
            self.q.add(t)
            self.v.add(t)

    def set_adapter(self, name):
        for m in self.modules():
            if isinstance(m, LoraLinear):
                m.active = name

    def forward(self, ids, task):
        self.set_adapter(task)
        x = torch.cat([self.prompts[task].expand(len(ids), -1, -1), self.embed(ids)], 1)
        q = self.q(x)
        x = self.norm(x + torch.softmax(q @ x.transpose(1, 2) / 8**0.5, -1) @ self.v(x))
        return self.heads[task](x.mean(1))


random.seed(0)
model = Tiny()
trainable = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
print(len(trainable), sum(p.numel() for _, p in trainable))
optimizer = torch.optim.AdamW([p for _, p in trainable], lr=1e-2)
for step in range(8):
    task = random.choice(("a", "b")) if step else "a"
    ids, y = torch.randint(10, (6, 4)), torch.randint(2, (6,))
    loss = F.cross_entropy(model(ids, task), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(task, f"{loss.item():.4f}")
model.eval()
with torch.no_grad():
    before = model(ids, "a")
    model.q.merge("a")
    model.v.merge("a")
    x = model.norm.bias
print(before.shape, x.requires_grad)
