"""Reports of results: Markdown, text, figures, and a web site."""
