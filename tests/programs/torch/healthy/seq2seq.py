"""An encoder and a decoder, with teacher forcing and greedy decoding for evaluation."""

import torch
from torch import nn
import torch.nn.functional as F

embed, encoder, decoder, out = nn.Embedding(12, 8), nn.GRU(8, 8), nn.GRUCell(8, 8), nn.Linear(8, 12)
modules = nn.ModuleList([embed, encoder, decoder, out])
opt = torch.optim.Adam(modules.parameters())
for step in range(4):
    source, target = torch.randint(0, 12, (5, 4)), torch.randint(0, 12, (6, 4))
    _, state = encoder(embed(source))
    state, loss, token = state[0], 0, target[0]
    for wanted in target[1:]:
        state = decoder(embed(token), state)
        logits = out(state)
        loss = loss + F.cross_entropy(logits, wanted)
        token = wanted if step % 2 else logits.argmax(1)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
with torch.no_grad():
    print(out(decoder(embed(token), state)).argmax(1).shape)
