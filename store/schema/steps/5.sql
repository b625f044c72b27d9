-- From version 4 to 5.
ALTER TABLE tokens ADD COLUMN may_confirm INTEGER NOT NULL DEFAULT 0 CHECK (may_confirm IN (0, 1));
CREATE TABLE questions (
  hash      BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  channel   TEXT    NOT NULL CHECK (channel <> ''),
  send      TEXT    NOT NULL CHECK (send <> ''),
  digest    BLOB    NOT NULL CHECK (length(digest) = 32),
  principal TEXT    NOT NULL CHECK (principal <> ''),
  call      BLOB    NOT NULL CHECK (length(call) = 32),
  expires   INTEGER NOT NULL,
  used      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX questions_expires ON questions (expires);
CREATE TABLE images (
  text   INTEGER NOT NULL REFERENCES texts,
  n      INTEGER NOT NULL,
  source TEXT    NOT NULL,
  state  TEXT    NOT NULL,
  kind   TEXT    NOT NULL,
  bytes  INTEGER NOT NULL,
  width  INTEGER NOT NULL,
  height INTEGER NOT NULL,
  file   TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (text, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE oauth_clients (
  id        TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name      TEXT    NOT NULL,
  redirects TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  granted   INTEGER NOT NULL,
  fetched   INTEGER NOT NULL,
  fresh     INTEGER NOT NULL
) STRICT;
CREATE TABLE oauth_codes (
  hash      BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  client    TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  redirect  TEXT    NOT NULL,
  challenge TEXT    NOT NULL,
  resource  TEXT    NOT NULL,
  scopes    INTEGER NOT NULL,
  principal TEXT    NOT NULL,
  created   INTEGER NOT NULL,
  used      INTEGER NOT NULL,
  gave      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_created ON oauth_codes (created);
CREATE TABLE oauth_grants (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  client      TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  goes        TEXT    NOT NULL,
  resource    TEXT    NOT NULL,
  scopes      INTEGER NOT NULL,
  principal   TEXT    NOT NULL,
  may_confirm INTEGER NOT NULL CHECK (may_confirm IN (0, 1)),
  created     INTEGER NOT NULL,
  used        INTEGER NOT NULL,
  ended       INTEGER NOT NULL,
  why         TEXT    NOT NULL,
  last        INTEGER NOT NULL,
  turn        INTEGER NOT NULL,
  came        INTEGER NOT NULL,
  turned      INTEGER NOT NULL,
  past        INTEGER NOT NULL,
  heard       INTEGER NOT NULL
) STRICT;
CREATE TABLE oauth_tokens (
  hash    BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  refresh INTEGER NOT NULL CHECK (refresh IN (0, 1)),
  of      TEXT    NOT NULL,
  seq     INTEGER NOT NULL,
  parent  INTEGER NOT NULL,
  scopes  INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_tokens_of ON oauth_tokens (of, refresh, seq);
