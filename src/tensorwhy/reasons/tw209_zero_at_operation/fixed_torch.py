"""Transcribes speech; the convolutions leave 76 frames for 20 letters."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(6)
encoder = nn.Sequential(nn.Conv1d(8, 16, 5, stride=1), nn.ReLU(), nn.Conv1d(16, 12, 5, stride=2))
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
speech, letters = torch.randn(4, 8, 160), torch.randint(1, 12, (4, 20))
lengths = torch.full((4,), 20)

for step in range(5):
    optimizer.zero_grad()
    scores = encoder(speech).permute(2, 0, 1).log_softmax(-1)
    frames = torch.full((4,), len(scores))
    loss = nn.functional.ctc_loss(scores, letters, frames, lengths, zero_infinity=True)
    loss.backward()
    optimizer.step()
    assert all(bool(each.grad.any()) for each in encoder.parameters())
    print(step, loss.item())
