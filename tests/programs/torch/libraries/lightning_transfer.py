"""Fine-tuning in Lightning: a frozen backbone that a callback thaws after one epoch, with bfloat16 autocast."""

import logging
import tempfile
import warnings

import lightning
import torch
from lightning.pytorch.callbacks import BackboneFinetuning
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.simplefilter("ignore")
lightning.seed_everything(0, verbose=False)


class Tuned(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 12), nn.LayerNorm(12), nn.GELU())
        self.head = nn.Linear(12, 1)

    def training_step(self, batch, index):
        x, y = batch
        loss = nn.functional.mse_loss(self.head(self.backbone(x)), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam((p for p in self.parameters() if p.requires_grad), 0.01)


x = torch.randn(64, 6)
data = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), 16, shuffle=True)
with tempfile.TemporaryDirectory() as folder:
    trainer = lightning.Trainer(
        max_epochs=4,
        accelerator="cpu",
        devices=1,
        precision="bf16-mixed",
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        enable_checkpointing=False,
        callbacks=[BackboneFinetuning(unfreeze_backbone_at_epoch=2, verbose=False)],
        default_root_dir=folder,
    )
    model = Tuned()
    trainer.fit(model, data)
print(trainer.global_step, all(p.requires_grad for p in model.parameters()))
