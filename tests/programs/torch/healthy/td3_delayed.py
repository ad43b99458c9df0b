"""TD3: the policy is updated every second step, and both targets follow by `.data`."""

import copy
from collections import deque
import random

import torch
import torch.nn.functional as F
from torch import nn


class Actor(nn.Module):
    def __init__(self, state, action, limit):
        super().__init__()
        self.l1, self.l2, self.limit = nn.Linear(state, 16), nn.Linear(16, action), limit

    def forward(self, state):
        return self.limit * torch.tanh(self.l2(F.relu(self.l1(state))))


class Critic(nn.Module):
    def __init__(self, state, action):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(state + action, 16), nn.ReLU(), nn.Linear(16, 1))
        self.q2 = nn.Sequential(nn.Linear(state + action, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, state, action):
        sa = torch.cat([state, action], 1)
        return self.q1(sa), self.q2(sa)

    def Q1(self, state, action):
        return self.q1(torch.cat([state, action], 1))


class TD3:
    def __init__(self, state=3, action=1, limit=2.0):
        self.actor = Actor(state, action, limit)
        self.actor_target = copy.deepcopy(self.actor)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic = Critic(state, action)
        self.critic_target = copy.deepcopy(self.critic)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=3e-4)
        self.limit, self.it = limit, 0

    def select_action(self, state):
        return self.actor(torch.FloatTensor(state).reshape(1, -1)).data.numpy().flatten()

    def train(self, batch):
        self.it += 1
        state, action, next_state, reward, not_done = batch
        with torch.no_grad():
            noise = (torch.randn_like(action) * 0.2).clamp(-0.5, 0.5)
            next_action = (self.actor_target(next_state) + noise).clamp(-self.limit, self.limit)
            target = reward + not_done * 0.99 * torch.min(*self.critic_target(next_state, next_action))
        q1, q2 = self.critic(state, action)
        critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        if self.it % 2 == 0:
            actor_loss = -self.critic.Q1(state, self.actor(state)).mean()
            self.actor_optimizer.zero_grad()
            actor_loss.backward()
            self.actor_optimizer.step()
            for net, target_net in ((self.critic, self.critic_target), (self.actor, self.actor_target)):
                for param, target_param in zip(net.parameters(), target_net.parameters()):
                    target_param.data.copy_(0.005 * param.data + 0.995 * target_param.data)
        return critic_loss.item()


random.seed(0)
agent, memory, state = TD3(), deque(maxlen=100), [0.1, 0.2, 0.3]
for t in range(24):
    action = agent.select_action(state)
    next_state = [0.9 * s + 0.1 * float(action[0]) for s in state]
    memory.append((state, action.tolist(), next_state, [-sum(s * s for s in state)], [float(t % 8 != 7)]))
    state = next_state
    if t >= 12:
        batch = [torch.tensor(column) for column in zip(*random.sample(memory, 8))]
        print(f"{agent.train(batch):.4f}")
