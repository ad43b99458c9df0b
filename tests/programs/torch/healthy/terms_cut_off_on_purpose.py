"""Terms of losses that are cut off on purpose: targets, their entropy, displays, phases, baselines, moving averages."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
inputs, wanted = torch.randn(48, 5), torch.rand(48, 5)


def train(loss_of):
    encoder, head, other = nn.Linear(5, 8), nn.Linear(8, 5), nn.Linear(8, 5)
    parts = nn.ModuleList([encoder, head, other])
    optimizer = torch.optim.Adam(parts.parameters(), lr=1e-2)
    average = None
    for step, rows in enumerate(torch.arange(48).split(8)):
        code = torch.tanh(encoder(inputs[rows]))
        loss, average = loss_of(code, head, other, wanted[rows], step, average)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def own_targets(code, head, other, right, step, average):
    with torch.no_grad():
        soft = head(code).softmax(1)
    logits = other(code)
    cross = -(soft * logits.log_softmax(1)).sum(1).mean()
    entropy = (soft * soft.log()).sum(1).mean()
    return cross + entropy + F.mse_loss(head(code), right), None


def stopped_target(code, head, other, right, step, average):
    aim = head(code).detach()
    pulled = F.mse_loss(other(code), aim)
    spread = aim.var(0).mean()
    return F.mse_loss(head(code), right) + pulled - 0.1 * spread, None


def for_display(code, head, other, right, step, average):
    main, aside = F.mse_loss(head(code), right), F.l1_loss(other(code), right)
    main = main + other(code).pow(2).mean()
    with torch.no_grad():
        gap = (head(code) - other(code)).abs().mean()
    return main + aside.detach() + gap, None


def in_phases(code, head, other, right, step, average):
    with torch.set_grad_enabled(step > 2):
        features = code * 1.0
    if step <= 2:
        features = features.detach()
    return F.mse_loss(head(features), right) + 0.1 * features.pow(2).mean() + 0.0 * code.sum(), None


def against_average(code, head, other, right, step, average):
    each = F.mse_loss(head(code), right, reduction="none").mean(1)
    now = each.mean().detach()
    average = now if average is None else 0.9 * average + 0.1 * now
    return (each * (each.detach() > average).float()).mean() + other(code).pow(2).mean() - average, average


for loss_of in (own_targets, stopped_target, for_display, in_phases, against_average):
    train(loss_of)
