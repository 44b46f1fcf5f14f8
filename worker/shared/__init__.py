"""What app and mcp_server may import from the worker; loads nothing heavy."""
