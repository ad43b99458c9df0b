"""The critic of a generator is shown the true samples: its loss does not depend on the generator."""

import torch
from torch import nn

torch.manual_seed(0)
generator, critic = nn.Linear(3, 2), nn.Linear(2, 1)


def judged(samples):
    return nn.functional.softplus(-critic(samples)).mean()


def step(noise, truth):
    made = generator(noise)
    adversarial = judged(truth)  # why: TW115
    return torch.autograd.grad(adversarial, [*generator.parameters()], allow_unused=True), made.detach()


for _ in range(2):
    grads, made = step(torch.randn(4, 3), torch.randn(4, 2))
    print([each is None for each in grads], made.shape)
