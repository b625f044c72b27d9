-- From version 2 to 3: texts of which nothing says yet who they are from, and the further ways by which one came. What is stored has come one way alone, and a STOP has been
-- one since it was stored. A table's
-- check cannot be changed, and SQLite quotes the name of one that is renamed: the outbox is made anew. And the buttons on the owner's phone.
ALTER TABLE texts ADD COLUMN unverified INTEGER NOT NULL DEFAULT 0
  CHECK (unverified = 0 OR unverified = 1 AND direction = 1 AND number IS NULL AND stop = 0);
ALTER TABLE texts ADD COLUMN claim TEXT
  CHECK (claim IS NULL OR claim GLOB '+[1-9]*' AND unverified = 1 AND code IS NULL AND label IS NULL);
ALTER TABLE texts ADD COLUMN pair BLOB;
DROP INDEX texts_received;
CREATE INDEX texts_received ON texts (at, number, code, label, claim, unverified) WHERE direction = 1 AND group_of IS NULL;
DROP INDEX texts_stored;
CREATE INDEX texts_stored ON texts (stored) WHERE direction = 1 AND group_of IS NULL AND unverified = 0;
DROP INDEX texts_stop;
UPDATE texts SET stop = id WHERE stop = 1;
CREATE INDEX texts_stop ON texts (number, stop) WHERE stop > 0;
CREATE INDEX texts_unverified ON texts (stored) WHERE unverified = 1;
CREATE INDEX texts_pair ON texts (pair, unverified, at) WHERE pair IS NOT NULL;
CREATE TABLE ways (
  carrier TEXT    NOT NULL,
  kind    TEXT    NOT NULL,
  ref     TEXT    NOT NULL CHECK (ref <> ''),
  text    INTEGER NOT NULL REFERENCES texts,
  PRIMARY KEY (carrier, kind, ref)
) STRICT, WITHOUT ROWID;
CREATE TEMP TABLE old AS SELECT text, state, at FROM outbox;
DROP TABLE outbox;
CREATE TABLE outbox (
  text  INTEGER PRIMARY KEY REFERENCES texts,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
  at    INTEGER NOT NULL,
  sender ANY    NOT NULL
) STRICT;
CREATE INDEX outbox_state ON outbox (state, at);
CREATE INDEX outbox_sender ON outbox (state, sender);
INSERT INTO outbox (text, state, at, sender) SELECT o.text, o.state, o.at, CASE WHEN x.number IS NOT NULL THEN x.number
  ELSE CAST(CASE WHEN x.code IS NOT NULL THEN '02' || x.code WHEN x.label IS NOT NULL THEN '03' || x.label ELSE '00' END AS BLOB) END
  FROM old o JOIN texts x ON x.id = o.text;
DROP TABLE old;
CREATE TABLE taps (
  hash    BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  send    TEXT    NOT NULL CHECK (send <> ''),
  digest  BLOB    NOT NULL CHECK (length(digest) = 32),
  action  TEXT    NOT NULL CHECK (action <> ''),
  expires INTEGER NOT NULL,
  used    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX taps_expires ON taps (expires);
