"""The HTTP API: routes validate, call one service and serialise."""
