"""Stochastic weight averaging with its own schedule, and batch norm updated at the end."""

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randint(3, (32,))), batch_size=8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
swa_model = AveragedModel(model)
ema_model = AveragedModel(model, avg_fn=lambda avg, new, num: 0.9 * avg + 0.1 * new)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)
swa_scheduler = SWALR(optimizer, anneal_strategy="linear", anneal_epochs=2, swa_lr=0.05)
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
for epoch in range(6):
    for features, label in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(features), label)
        loss.backward()
        optimizer.step()
        ema_model.update_parameters(model)
    if epoch >= 3:
        swa_model.update_parameters(model)
        swa_scheduler.step()
    else:
        scheduler.step()
    print(f"{epoch} {loss.item():.4f} {optimizer.param_groups[0]['lr']:.4f}")
update_bn(loader, swa_model)
update_bn((x for x, _ in loader), ema_model)
with torch.inference_mode():
    print(swa_model(torch.zeros(2, 4)).shape, int(swa_model.n_averaged))
