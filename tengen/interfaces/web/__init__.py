"""The web page's server: boards, searches that are watched while they run, reviews, stored games and reports.

`messages`, `replies` and `search_replies` define what a page and the server send each other over a WebSocket,
`resources` what is read over HTTP. docs/web-protocol.md has an example of each.
"""
