"""What a program asks gradients for, and what it does with the answer, as its source says."""
