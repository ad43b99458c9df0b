"""What is seen when a program asks for gradients: `backward`, `autograd.grad`, reads of `.grad`."""
