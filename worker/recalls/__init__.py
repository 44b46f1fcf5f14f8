"""What MCP clients asked and got: recorded, kept for a while, shown."""
