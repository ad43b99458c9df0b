"""A mean teacher with a consistency ramp from zero, mixed samples and soft targets."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def sigmoid_rampup(current, length):
    current = min(max(current, 0.0), length)
    return math.exp(-5.0 * (1.0 - current / length) ** 2) if current else 0.0


def create_model(ema=False):
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 3))
    if ema:
        for param in model.parameters():
            param.detach_()
    return model


def update_ema_variables(model, ema_model, alpha, global_step):
    alpha = min(1 - 1 / (global_step + 1), alpha)
    for ema_param, param in zip(ema_model.parameters(), model.parameters()):
        ema_param.data.mul_(alpha).add_(param.data, alpha=1 - alpha)


def mixup(x, y, alpha=0.4):
    lam = torch.distributions.Beta(alpha, alpha).sample()
    order = torch.randperm(len(x))
    return lam * x + (1 - lam) * x[order], lam * y + (1 - lam) * y[order]


student, teacher = create_model(), create_model(ema=True)
optimizer = torch.optim.SGD(student.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
global_step = 0
for epoch in range(4):
    for _ in range(2):
        x = torch.randn(12, 4)
        y = F.one_hot(torch.randint(3, (12,)), 3).float()
        mixed, target = mixup(x[:6], y[:6])
        logits = student(torch.cat([mixed, x[6:]]))
        with torch.no_grad():
            teacher_logits = teacher(x[6:] + 0.1 * torch.randn(6, 4))
        class_loss = torch.sum(-target * F.log_softmax(logits[:6], 1)) / 6
        weight = 10.0 * sigmoid_rampup(epoch, 4)
        consistency = weight * F.mse_loss(logits[6:].softmax(1), teacher_logits.softmax(1))
        loss = class_loss + consistency
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        global_step += 1
        update_ema_variables(student, teacher, 0.99, global_step)
    print(f"{epoch} {loss.item():.4f} {weight:.3f}")
