"""A mask of padding that covers the wrong axis: rows of padding have nothing left to attend to."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
tokens = nn.Embedding(12, 8, padding_idx=0)
query, key, out = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 12)
optimizer = torch.optim.Adam([*tokens.parameters(), *query.parameters(), *key.parameters(), *out.parameters()], lr=1e-3)


def attend(x, keep):
    scores = query(x) @ key(x).transpose(1, 2)
    scores = scores.masked_fill(~keep.unsqueeze(2), float("-inf"))
    return scores.softmax(-1) @ x  # why: TW211


for step in range(5):
    ids = torch.randint(1, 12, (4, 6))
    ids[:, 4:] = 0
    optimizer.zero_grad()
    scores = out(attend(tokens(ids), ids != 0))
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), ids.flatten(), ignore_index=0)
    loss.backward()
    optimizer.step()
    print(step, loss.item())
