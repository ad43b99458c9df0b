"""A distillation whose student hands over logarithms of probabilities."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
student, teacher = nn.Linear(8, 4), nn.Linear(8, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
batch = torch.randn(32, 8)
with torch.no_grad():
    wanted = teacher(batch).softmax(dim=1)

for step in range(20):
    given = student(batch).log_softmax(dim=1)
    loss = nn.functional.kl_div(given, wanted, reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

assert 0 <= loss.item() < 0.1
