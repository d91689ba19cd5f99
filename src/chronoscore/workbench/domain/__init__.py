"""What people do in the workbench: roles, steps, actions and queries; nothing about HTTP."""
