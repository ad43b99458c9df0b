"""The Trainer with a tiny GPT-2: accumulation, evaluation, checkpoint of activations, and text made at the end."""

import tempfile
import warnings

import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

transformers.logging.set_verbosity_error()
warnings.simplefilter("ignore")
transformers.set_seed(0)


class Tokens(torch.utils.data.Dataset):
    def __init__(self, count):
        self.rows = (torch.arange(12) + torch.randint(0, 30, (count, 1))) % 40

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return {"input_ids": self.rows[index], "labels": self.rows[index]}


class Quiet(TrainerCallback):
    losses = []

    def on_log(self, args, state, control, logs=None, **kwargs):
        self.losses += [value for name, value in (logs or {}).items() if name in ("loss", "eval_loss")]


config = GPT2Config(
    vocab_size=40, n_positions=24, n_embd=16, n_layer=2, n_head=2, use_cache=False, bos_token_id=0, eos_token_id=0,
    pad_token_id=0,
)  # fmt: skip
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder, num_train_epochs=2, per_device_train_batch_size=4, gradient_accumulation_steps=2,
        learning_rate=5e-3, warmup_steps=1, weight_decay=0.01, max_grad_norm=1.0, eval_strategy="epoch",
        save_strategy="no", logging_steps=2, report_to=[], disable_tqdm=True, use_cpu=True, seed=0,
        gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False},
    )  # fmt: skip
    trainer = Trainer(
        model=GPT2LMHeadModel(config),
        args=arguments,
        train_dataset=Tokens(32),
        eval_dataset=Tokens(8),
        callbacks=[Quiet()],
    )
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train()
    scores = trainer.evaluate()
model = trainer.model.eval()
made = model.generate(torch.tensor([[3, 4, 5]]), max_new_tokens=4, do_sample=False)
print(made.shape, scores["eval_loss"] > 0, len(Quiet.losses) > 3, trainer.state.global_step)
