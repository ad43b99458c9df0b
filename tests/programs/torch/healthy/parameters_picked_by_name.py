"""A policy whose spread stays as it is: the optimizer is given the parameters of the mean, one by one."""

import torch
from torch import nn

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 2)
        self.log_spread = nn.Parameter(torch.zeros(2))

    def forward(self, seen):
        return torch.distributions.Normal(self.mean(seen), self.log_spread.exp())


policy = Policy()
optimizer = torch.optim.Adam([policy.mean.weight, policy.mean.bias], lr=1e-2)
seen, done = torch.randn(16, 3), torch.randn(16, 2)
for _ in range(5):
    loss = -policy(seen).log_prob(done).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.3f}")
