raise SystemExit("a message")
