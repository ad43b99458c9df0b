"""What an exception of PyTorch was about, read while its frames are alive."""
