"""A loader is given batches of indices by a generator: only the first epoch trains."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def batches(count, size):
    order = torch.randperm(count).tolist()
    for start in range(0, count, size):
        yield order[start : start + size]


class Trainer:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)

    def epoch(self):
        loss = torch.zeros(())
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
data = TensorDataset(torch.randn(40, 3), torch.randn(40, 1))
loader = DataLoader(data, batch_sampler=batches(len(data), 8))  # why: TW121
trainer = Trainer(nn.Linear(3, 1), loader)
print([trainer.epoch() for _ in range(4)])
