"""What an assistant may ask for over the Model Context Protocol: see `tensorwhy mcp`."""
