-- From version 5 to 6: passes, by which the owner's browser is let into a room, and leases, by which one process leads its call.
CREATE TABLE talks (
  room     BLOB    NOT NULL PRIMARY KEY CHECK (length(room) = 32),
  identity TEXT    NOT NULL CHECK (identity <> ''),
  made     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX talks_made ON talks (made);
CREATE TABLE leases (
  sid  TEXT    NOT NULL PRIMARY KEY CHECK (sid <> ''),
  room TEXT    NOT NULL CHECK (room <> ''),
  by   TEXT    NOT NULL CHECK (by <> ''),
  beat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
