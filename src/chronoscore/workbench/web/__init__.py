"""The web side of the workbench: pages, addresses, scripts; the only package that knows HTTP."""
