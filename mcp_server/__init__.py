"""The stdio MCP server: protocol translation to the worker's HTTP API, no logic."""
