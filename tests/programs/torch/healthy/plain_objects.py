"""Plain objects that modules keep: they hold what another optimizer trains, what is registered, or what only judges."""

import torch
from torch import nn

torch.manual_seed(0)


class Judge:
    """A network that is only asked, and gets gradients that nobody needs."""

    def __init__(self):
        self.features = nn.Linear(4, 4).eval()

    def __call__(self, x, y):
        return (self.features(x) - self.features(y)).abs().mean()


class Trainer:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.1)
        net.trainer = self


class Critic:
    def __init__(self):
        self.layer = nn.Linear(4, 1)
        self.scale = nn.Parameter(torch.ones(4))

    def parameters(self):
        return [self.scale, *self.layer.parameters()]

    def __call__(self, x):
        return self.layer(x * self.scale)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 4)
        self.judge, self.critic = Judge(), Critic()

    def forward(self, x):
        return self.head(self.body(x).tanh())


def train():
    net = Net()
    trainer = Trainer(net)
    late = torch.optim.Adam(net.critic.parameters())
    for step in range(8):
        x = torch.randn(8, 4)
        loss = net.judge(net(x), x) - 0.01 * net.critic(net(x)).mean()
        net.zero_grad()
        late.zero_grad()
        loss.backward()
        trainer.opt.step()
        if step > 4:
            late.step()
        print(f"{loss.item():.4f}")


def added_later():
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
    opt = torch.optim.SGD(net[1].parameters(), lr=0.1)
    for step in range(8):
        if step == 5:
            opt.add_param_group({"params": net[0].parameters()})
        loss = net(torch.randn(8, 4)).square().mean()
        net.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}")


train()
added_later()
