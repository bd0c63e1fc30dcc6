"""Tables in the browser: a server that deals, plays the empty seats, and tells each seat what it may see.

From the ground up: `settings` is what a server is given, `packing`, `programs` and `batches` play the
moves of many tables in one compiled call, `seating` and `table` are one table, `store` keeps tables in
SQLite, `house` has them all, `messages` is what a seat is told. `api`, `guard` and `app` are HTTP, and
`page/` is the client.
"""
