"""A trainer with callbacks: early stopping, the best weights restored, metrics kept as numbers."""

import copy
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


@dataclass
class History:
    train: list = field(default_factory=list)
    valid: list = field(default_factory=list)


class EarlyStopping:
    def __init__(self, patience=2):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def on_epoch_end(self, trainer):
        loss = trainer.history.valid[-1]
        if loss < self.best - 1e-4:
            self.best, self.bad, self.state = loss, 0, copy.deepcopy(trainer.model.state_dict())
        else:
            self.bad += 1
        if self.bad >= self.patience:
            trainer.stop = True

    def on_train_end(self, trainer):
        if self.state is not None:
            trainer.model.load_state_dict(self.state)


class LearningRateDrop:
    def on_epoch_end(self, trainer):
        for group in trainer.optimizer.param_groups:
            group["lr"] *= 0.5

    def on_train_end(self, trainer):
        pass


class Trainer:
    def __init__(self, model, loss_fn, optimizer, callbacks=()):
        self.model, self.loss_fn, self.optimizer, self.callbacks = model, loss_fn, optimizer, callbacks
        self.history, self.stop = History(), False

    def run_epoch(self, loader, training):
        self.model.train(training)
        total, count = 0.0, 0
        with torch.set_grad_enabled(training):
            for x, y in loader:
                loss = self.loss_fn(self.model(x), y)
                if training:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                total += loss.item() * len(x)
                count += len(x)
        return total / count

    def fit(self, train, valid, epochs):
        for _ in range(epochs):
            self.history.train.append(self.run_epoch(train, True))
            self.history.valid.append(self.run_epoch(valid, False))
            for callback in self.callbacks:
                callback.on_epoch_end(self)
            if self.stop:
                break
        for callback in self.callbacks:
            callback.on_train_end(self)
        return self.history


torch.manual_seed(0)
x = torch.randn(60, 5)
data = TensorDataset(x, (x.sum(1) > 0).long())
train, valid = random_split(data, [48, 12])
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
trainer = Trainer(model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), 0.1, momentum=0.9), [EarlyStopping(), LearningRateDrop()])
history = trainer.fit(DataLoader(train, 16, shuffle=True), DataLoader(valid, 12), epochs=6)
print(len(history.train), f"{history.valid[0]:.4f}")
