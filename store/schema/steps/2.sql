-- From version 1 to 2: the outbox. Texts that were stored before it are told of nowhere.
CREATE TABLE outbox (
  text  INTEGER PRIMARY KEY REFERENCES texts,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
  at    INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_state ON outbox (state, at);
