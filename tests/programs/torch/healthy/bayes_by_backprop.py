"""Bayes by backprop: weights are drawn from learned Gaussians; then a mixture density head, and dropout at test time."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal, kl_divergence


class BayesLinear(nn.Module):
    def __init__(self, inp, out):
        super().__init__()
        self.mu, self.rho = nn.Parameter(torch.empty(out, inp).normal_(0, 0.1)), nn.Parameter(torch.full((out, inp), -3.0))
        self.bias = nn.Parameter(torch.zeros(out))
        self.prior = Normal(0.0, 1.0)
        self.kl = 0.0

    def forward(self, x):
        if not self.training:
            return F.linear(x, self.mu, self.bias)
        posterior = Normal(self.mu, F.softplus(self.rho))
        self.kl = kl_divergence(posterior, self.prior).sum()
        return F.linear(x, posterior.rsample(), self.bias)


class MDN(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.body, self.drop = BayesLinear(1, 16), nn.Dropout(0.2)
        self.pi, self.mu, self.sigma = BayesLinear(16, k), BayesLinear(16, k), BayesLinear(16, k)

    def forward(self, x):
        h = self.drop(torch.tanh(self.body(x)))
        mix = Categorical(logits=self.pi(h))
        return MixtureSameFamily(mix, Normal(self.mu(h), F.softplus(self.sigma(h)) + 1e-3))

    def kl(self):
        return sum(m.kl for m in self.modules() if isinstance(m, BayesLinear))


model = MDN()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
data = torch.rand(64, 1) * 4 - 2
target = torch.where(torch.rand(64) < 0.5, data.squeeze(1), -data.squeeze(1)) + 0.1 * torch.randn(64)
for epoch in range(3):
    for xb, yb in zip(data.split(16), target.split(16)):
        loss = -model(xb).log_prob(yb).mean() + model.kl() / 64
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{epoch} {loss.item():.4f}")
model.eval()
for m in model.modules():
    if isinstance(m, nn.Dropout):
        m.train()
with torch.no_grad():
    draws = torch.stack([model(data[:5]).sample() for _ in range(4)])
print(draws.std(0).shape)
