"""Tables in the browser: a server deals, plays the empty seats, and tells each seat what it may see.

From the ground up: `settings` is what a server is given; `packing`, `functions`, `programs`, `batches`
and `library` make the moves of many tables in one compiled call, `searches/` those that search, in a
process of their own; `seating` and `table` are one table, `store` keeps
tables in SQLite, `dealer` plays them, and `tables` has them all. `messages` is what a seat is told,
`advice` what a trained player would do. `forms`, `api`, `guard` and `app` are HTTP, `run` listens, and
`page/` is the client.
"""
