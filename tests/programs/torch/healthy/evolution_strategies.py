"""Evolution strategies: no gradient is ever asked for; parameters change by vectors of noise."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
sigma, lr, population = 0.1, 0.05, 10


def rollout(net):
    state, total = torch.tensor([1.0, -1.0, 0.5]), 0.0
    for _ in range(6):
        action = net(state)
        state = 0.9 * state + 0.2 * action.detach()
        total -= state.pow(2).sum().item()
    return total


theta = parameters_to_vector(policy.parameters()).detach()
for generation in range(4):
    noise = torch.randn(population // 2, theta.numel())
    noise = torch.cat([noise, -noise])
    scores = []
    for each in noise:
        vector_to_parameters(theta + sigma * each, policy.parameters())
        scores.append(rollout(policy))
    scores = torch.tensor(scores)
    ranks = scores.argsort().argsort().float() / (population - 1) - 0.5
    theta = theta + lr / (population * sigma) * (ranks @ noise)
    vector_to_parameters(theta, policy.parameters())
    print(generation, scores.shape)

optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for step in range(3):
    optimizer.zero_grad()
    for p in policy.parameters():
        eps = torch.randn_like(p)
        p.grad = eps * 0.01
    optimizer.step()
print("done")
