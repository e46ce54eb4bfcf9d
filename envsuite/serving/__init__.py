"""Environments for other processes: over HTTP and WebSocket in OpenEnv's protocol, and over MCP."""
