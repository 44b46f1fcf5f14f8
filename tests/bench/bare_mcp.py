"""An MCP server with no tools: what the SDK alone costs."""

import asyncio

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def serve() -> None:
    """Answer until stdin ends."""
    server = Server("bare", version="1")
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(serve())
