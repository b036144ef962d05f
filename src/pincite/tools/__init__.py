"""What agents see: toolsets."""
