"""DINO: a momentum teacher with a centre, several crops, and a last layer whose gradients are dropped at first."""

import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class Head(nn.Module):
    def __init__(self, inp, out):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(inp, 16), nn.GELU(), nn.Linear(16, 8))
        self.last_layer = weight_norm(nn.Linear(8, out, bias=False))
        self.last_layer.parametrizations.weight.original0.data.fill_(1)
        self.last_layer.parametrizations.weight.original0.requires_grad = False

    def forward(self, x):
        return self.last_layer(F.normalize(self.mlp(x), dim=-1))


class DINOLoss(nn.Module):
    def __init__(self, out, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("center", torch.zeros(1, out))

    def forward(self, student, teacher):
        student_out = [s / 0.1 for s in student]
        teacher_out = [F.softmax((t - self.center) / 0.04, dim=-1).detach() for t in teacher]
        total, terms = 0, 0
        for iq, q in enumerate(teacher_out):
            for v, s in enumerate(student_out):
                if v == iq:
                    continue
                total += torch.sum(-q * F.log_softmax(s, dim=-1), dim=-1).mean()
                terms += 1
        self.update_center(torch.cat(teacher))
        return total / terms

    @torch.no_grad()
    def update_center(self, output):
        self.center = self.center * self.momentum + output.mean(dim=0, keepdim=True) * (1 - self.momentum)


def cancel_gradients_last_layer(epoch, model, freeze):
    if epoch >= freeze:
        return
    for n, p in model.named_parameters():
        if "last_layer" in n:
            p.grad = None


student = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), Head(12, 10))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad = False
criterion = DINOLoss(10)
regular = [p for p in student.parameters() if p.requires_grad and p.ndim > 1]
plain = [p for p in student.parameters() if p.requires_grad and p.ndim <= 1]
optimizer = torch.optim.AdamW([{"params": regular}, {"params": plain, "weight_decay": 0.0}], lr=1e-3)
for epoch in range(3):
    for it in range(3):
        optimizer.param_groups[0]["weight_decay"] = 0.04 + 0.01 * it
        x = torch.randn(8, 6)
        crops = [x + 0.1 * torch.randn_like(x) for _ in range(4)]
        loss = criterion([student(c) for c in crops], [teacher(c) for c in crops[:2]])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(student.parameters(), 3.0)
        cancel_gradients_last_layer(epoch, student, 1)
        optimizer.step()
        with torch.no_grad():
            for q, k in zip(student.parameters(), teacher.parameters()):
                k.data.mul_(0.99).add_((1 - 0.99) * q.detach().data)
    print(f"{epoch} {loss.item():.4f}")
