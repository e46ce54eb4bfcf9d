"""An arm that reaches a target."""
