"""A penalty on the slope of a critic differentiates its fused attention twice."""

import torch
from torch import nn

torch.manual_seed(0)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts, self.out = nn.Linear(8, 24), nn.Linear(8, 1)

    def forward(self, x):
        q, k, v = self.parts(x).unsqueeze(1).chunk(3, -1)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v)  # why: TW107
        return self.out(mixed.squeeze(1)).mean(1)


critic = Critic()
optimizer = torch.optim.Adam(critic.parameters())
x = torch.randn(4, 6, 8, requires_grad=True)
slope = torch.autograd.grad(critic(x).sum(), x, create_graph=True)[0]
penalty = (slope.flatten(1).norm(dim=1) - 1).square().mean()
optimizer.zero_grad()
penalty.backward()
optimizer.step()
