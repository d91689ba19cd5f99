"""The workbench: a web application in which people judge streams and build content units."""
