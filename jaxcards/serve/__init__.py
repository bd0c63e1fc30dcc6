"""Tables in the browser: a server deals, plays the empty seats, and tells each seat what it may see.

An action passes `guard`, `api`, `tables`, `table`, `batches` and `store`; `messages` makes the answer.
`tables` has all tables; `table` is one of them: dealt, played, written and told. `library` has games
and players, `batches` makes the moves of many tables in one compiled call, and `searches/` those that
search, in a process of their own. `store` keeps tables in SQLite, with the seats of `seating`. `advice`
says what a trained player would do. `settings` are those of a server, `app` and `forms` the rest of
HTTP, `run` listens, and `page/` is the client.
"""
