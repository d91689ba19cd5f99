"""Timeline files: tilse, news-tls, JSON, YAML, XML, CSV, Markdown."""
