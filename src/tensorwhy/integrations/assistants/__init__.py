"""Tools for assistants over the Model Context Protocol: see `tensorwhy mcp`."""
