"""Reading and writing files: bytes, lines, JSON, XML, and notes about what was found."""
