"""Data exports of claude.ai: conversations, projects and memories."""
