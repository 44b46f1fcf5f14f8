"""Claude's own config files: whether they name our MCP server, and how they come to."""
