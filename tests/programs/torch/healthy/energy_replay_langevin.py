"""An energy-based model: negatives come from a replay buffer by Langevin dynamics with frozen weights."""

import random

import torch
from torch import nn


class Sampler:
    def __init__(self, model, size=32):
        self.model = model
        self.examples = [torch.rand(1, 2) * 2 - 1 for _ in range(size)]

    def sample_new(self, count=8, steps=6):
        fresh = max(1, count // 4)
        rand = torch.rand(fresh, 2) * 2 - 1
        old = torch.cat(random.choices(self.examples, k=count - fresh), dim=0)
        start = torch.cat([rand, old], dim=0).detach()
        images = self.generate(start, steps)
        self.examples = list(images.chunk(count, dim=0)) + self.examples
        self.examples = self.examples[:32]
        return images

    def generate(self, images, steps, step_size=0.1):
        is_training = self.model.training
        self.model.eval()
        for p in self.model.parameters():
            p.requires_grad = False
        images.requires_grad = True
        had_gradients = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        noise = torch.randn(images.shape)
        for _ in range(steps):
            noise.normal_(0, 0.005)
            images.data.add_(noise.data)
            images.data.clamp_(min=-1.0, max=1.0)
            out = -self.model(images)
            out.sum().backward()
            images.grad.data.clamp_(-0.03, 0.03)
            images.data.add_(-step_size * images.grad.data)
            images.grad.detach_()
            images.grad.zero_()
        for p in self.model.parameters():
            p.requires_grad = True
        self.model.train(is_training)
        torch.set_grad_enabled(had_gradients)
        return images.detach()


random.seed(1)
model = nn.Sequential(nn.Linear(2, 16), nn.SiLU(), nn.Linear(16, 16), nn.SiLU(), nn.Linear(16, 1))
sampler = Sampler(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.0, 0.999))
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.97)
for step in range(5):
    real = torch.randn(8, 2) * 0.2
    real.add_(torch.randn_like(real) * 0.005).clamp_(min=-1.0, max=1.0)
    fake = sampler.sample_new()
    real_out, fake_out = model(torch.cat([real, fake], dim=0)).chunk(2, dim=0)
    reg_loss = 0.1 * (real_out**2 + fake_out**2).mean()
    cdiv_loss = fake_out.mean() - real_out.mean()
    loss = reg_loss + cdiv_loss
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    scheduler.step()
    print(f"{loss.item():.4f} {cdiv_loss.item():.4f}")
