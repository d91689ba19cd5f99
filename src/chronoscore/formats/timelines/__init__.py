"""Timeline files: tilse, news-tls, JSON, CSV, Markdown."""
