"""A BiLSTM-CRF: the partition function by a loop, Viterbi with argmax only for predictions."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class CRF(nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.start, self.end = nn.Parameter(torch.empty(tags)), nn.Parameter(torch.empty(tags))
        self.transitions = nn.Parameter(torch.empty(tags, tags))
        for p in self.parameters():
            nn.init.uniform_(p, -0.1, 0.1)

    def score(self, em, tags, mask):
        total = self.start[tags[:, 0]] + em[:, 0].gather(1, tags[:, :1]).squeeze(1)
        for t in range(1, em.shape[1]):
            step = self.transitions[tags[:, t - 1], tags[:, t]] + em[:, t].gather(1, tags[:, t : t + 1]).squeeze(1)
            total = total + step * mask[:, t]
        last = tags.gather(1, (mask.long().sum(1) - 1)[:, None]).squeeze(1)
        return total + self.end[last]

    def log_z(self, em, mask):
        alpha = self.start + em[:, 0]
        for t in range(1, em.shape[1]):
            new = torch.logsumexp(alpha[:, :, None] + self.transitions + em[:, t, None], dim=1)
            alpha = torch.where(mask[:, t, None].bool(), new, alpha)
        return torch.logsumexp(alpha + self.end, dim=1)

    @torch.no_grad()
    def decode(self, em):
        score, history = self.start + em[:, 0], []
        for t in range(1, em.shape[1]):
            best, index = (score[:, :, None] + self.transitions).max(dim=1)
            score = best + em[:, t]
            history.append(index)
        path = [(score + self.end).argmax(1)]
        for index in reversed(history):
            path.insert(0, index.gather(1, path[0][:, None]).squeeze(1))
        return torch.stack(path, 1)


class Tagger(nn.Module):
    def __init__(self, vocab=12, tags=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 6, bidirectional=True, batch_first=True)
        self.out, self.crf = nn.Linear(12, tags), CRF(tags)

    def emissions(self, words, lengths):
        packed = pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        return self.out(pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0])


model = Tagger()
opt = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=1e-4)
for epoch in range(3):
    lengths = torch.tensor([4, 6, 3])
    words = pad_sequence([torch.randint(1, 12, (n,)) for n in lengths.tolist()], batch_first=True)
    tags = words % 3
    mask = (words != 0).float()
    em = model.emissions(words, lengths)
    loss = (model.crf.log_z(em, mask) - model.crf.score(em, tags, mask)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f} {model.crf.decode(em).shape}")
