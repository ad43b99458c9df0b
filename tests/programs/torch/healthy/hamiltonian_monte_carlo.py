"""Hamiltonian Monte Carlo and Langevin sampling: gradients of a log density, and no optimizer at all."""

import torch

torch.manual_seed(0)
X = torch.cat([torch.ones(30, 1), torch.randn(30, 2)], dim=1)
y = (X @ torch.tensor([0.3, 1.0, -1.0]) + 0.3 * torch.randn(30) > 0).float()


def log_prob(w):
    return -torch.nn.functional.binary_cross_entropy_with_logits(X @ w, y, reduction="sum") - 0.5 * w.pow(2).sum()


def gradient(w):
    w = w.detach().requires_grad_(True)
    log_prob(w).backward()
    return w.grad


def leapfrog(q, p, eps, steps):
    p = p + 0.5 * eps * gradient(q)
    for i in range(steps):
        q = q + eps * p
        if i != steps - 1:
            p = p + eps * gradient(q)
    return q, p + 0.5 * eps * gradient(q)


q, samples, accepted = torch.zeros(3), [], 0
for _ in range(6):
    p0 = torch.randn(3)
    new, p = leapfrog(q, p0, 0.1, 4)
    with torch.no_grad():
        ratio = log_prob(new) - 0.5 * p @ p - log_prob(q) + 0.5 * p0 @ p0
    if torch.rand(()).log() < ratio:
        q, accepted = new, accepted + 1
    samples.append(q)
print(accepted, torch.stack(samples).mean(0).shape)

particles = torch.randn(8, 3)
for _ in range(4):
    particles.requires_grad_(True)
    score = torch.autograd.grad(torch.vmap(log_prob)(particles).sum(), particles)[0]
    particles = particles.detach()
    d = torch.cdist(particles, particles).pow(2)
    k = torch.exp(-d / (d.median() + 1e-6))
    repulsion = (k.sum(1, keepdim=True) * particles - k @ particles) * 2 / (d.median() + 1e-6)
    particles = particles + 0.01 * (k @ score + repulsion) / 8
print(particles.shape)
