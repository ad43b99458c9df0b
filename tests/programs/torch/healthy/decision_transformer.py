"""A decision transformer: three heads, of which only the action head is in the loss."""

import torch
import torch.nn.functional as F
from torch import nn


class DecisionTransformer(nn.Module):
    def __init__(self, state=3, act=2, hidden=16, length=5):
        super().__init__()
        self.embed_timestep = nn.Embedding(20, hidden)
        self.embed_return, self.embed_state, self.embed_action = nn.Linear(1, hidden), nn.Linear(state, hidden), nn.Linear(act, hidden)
        self.embed_ln = nn.LayerNorm(hidden)
        layer = nn.TransformerEncoderLayer(hidden, 2, 32, dropout=0.1, batch_first=True)
        self.transformer = nn.TransformerEncoder(layer, 1)
        self.predict_state = nn.Linear(hidden, state)
        self.predict_action = nn.Sequential(nn.Linear(hidden, act), nn.Tanh())
        self.predict_return = nn.Linear(hidden, 1)

    def forward(self, states, actions, returns, timesteps, mask):
        batch, length = states.shape[:2]
        time = self.embed_timestep(timesteps)
        parts = [self.embed_return(returns) + time, self.embed_state(states) + time, self.embed_action(actions) + time]
        stacked = torch.stack(parts, dim=1).permute(0, 2, 1, 3).reshape(batch, 3 * length, -1)
        keep = torch.stack((mask,) * 3, dim=1).permute(0, 2, 1).reshape(batch, 3 * length)
        causal = torch.triu(torch.ones(3 * length, 3 * length, dtype=torch.bool), 1)
        h = self.transformer(self.embed_ln(stacked), mask=causal, src_key_padding_mask=keep == 0)
        h = h.reshape(batch, length, 3, -1).permute(0, 2, 1, 3)
        return self.predict_state(h[:, 2]), self.predict_action(h[:, 1]), self.predict_return(h[:, 2])


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda steps: min((steps + 1) / 3, 1))

    def train_step(self):
        states, actions, returns = torch.randn(4, 5, 3), torch.rand(4, 5, 2), torch.randn(4, 5, 1)
        mask = torch.ones(4, 5)
        mask[0, 3:] = 0
        target = torch.clone(actions)
        _, preds, _ = self.model.forward(states, actions, returns, torch.arange(5).repeat(4, 1), mask)
        preds, target = preds.reshape(-1, 2)[mask.reshape(-1) > 0], target.reshape(-1, 2)[mask.reshape(-1) > 0]
        loss = F.mse_loss(preds, target)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.25)
        self.optimizer.step()
        self.scheduler.step()
        return loss.detach().cpu().item()


trainer = Trainer(DecisionTransformer())
for it in range(4):
    trainer.model.train()
    print(f"{trainer.train_step():.4f}")
