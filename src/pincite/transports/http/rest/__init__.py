"""REST: the tools, tasks and uploads, and their OpenAPI description."""
