"""What comes into the workbench and what leaves it: imports, exports, the demo projects."""
