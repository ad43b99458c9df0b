"""Random network distillation: a fixed random target, a predictor that learns only from a part of each batch."""

import torch
import torch.nn.functional as F
from torch import nn


class RND(nn.Module):
    def __init__(self):
        super().__init__()
        self.predictor = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(), nn.Linear(16, 8))
        self.target = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(), nn.Linear(16, 8))
        for p in self.modules():
            if isinstance(p, nn.Linear):
                nn.init.orthogonal_(p.weight, 2**0.5)
                p.bias.data.zero_()
        for param in self.target.parameters():
            param.requires_grad = False

    def forward(self, next_obs):
        return self.predictor(next_obs), self.target(next_obs)

    def bonus(self, next_obs):
        predict, target = self(next_obs)
        return (target - predict).pow(2).sum(1) / 2


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.feature = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.actor, self.critic_ext, self.critic_int = nn.Linear(16, 3), nn.Linear(16, 1), nn.Linear(16, 1)

    def forward(self, s):
        h = self.feature(s)
        return self.actor(h), self.critic_ext(h), self.critic_int(h)


rnd, model = RND(), ActorCritic()
optimizer = torch.optim.Adam(list(model.parameters()) + list(rnd.predictor.parameters()), lr=1e-3)
forward_mse = nn.MSELoss(reduction="none")
mean, var = torch.zeros(4), torch.ones(4)
for step in range(5):
    obs, next_obs = torch.randn(16, 4), torch.randn(16, 4)
    mean, var = 0.9 * mean + 0.1 * next_obs.mean(0), 0.9 * var + 0.1 * next_obs.var(0)
    normed = ((next_obs - mean) / var.sqrt()).clip(-5, 5)
    intrinsic = rnd.bonus(normed).data.cpu().numpy()
    returns = torch.as_tensor(intrinsic)
    predict, target = rnd(normed)
    forward_loss = forward_mse(predict, target.detach()).mean(-1)
    mask = torch.rand(len(forward_loss))
    mask = (mask < 0.25).type(torch.FloatTensor)
    forward_loss = (forward_loss * mask).sum() / torch.max(mask.sum(), torch.Tensor([1]))
    logits, v_ext, v_int = model(obs)
    dist = torch.distributions.Categorical(F.softmax(logits, dim=-1))
    action = dist.sample()
    adv = returns - v_int.detach().squeeze(1)
    actor_loss = -(dist.log_prob(action) * adv).mean()
    critic_loss = F.mse_loss(v_int.squeeze(1), returns) + F.mse_loss(v_ext.squeeze(1), torch.zeros(16))
    loss = actor_loss + 0.5 * critic_loss - 0.001 * dist.entropy().mean() + forward_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
