-- From version 5 to 6: passes, by which the owner's browser is let into a room.
CREATE TABLE talks (
  room     BLOB    NOT NULL PRIMARY KEY CHECK (length(room) = 32),
  identity TEXT    NOT NULL CHECK (identity <> ''),
  made     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX talks_made ON talks (made);
