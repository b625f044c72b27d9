-- The schema, whole, at the version that migrate.go names. Times are UTC milliseconds since 1970, 0 for none. What others wrote, and
-- the bodies that we send, are BLOBs, so that every byte survives: NUL, bytes that are not UTF-8.

CREATE TABLE contacts (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  name         TEXT    NOT NULL CHECK (name <> ''),
  aliases      TEXT    NOT NULL,                    -- a JSON list
  numbers      TEXT    NOT NULL,                    -- a JSON list
  send_to      TEXT    NOT NULL,
  revision     INTEGER NOT NULL,
  stop_cleared INTEGER NOT NULL DEFAULT 0           -- the most that texts.stop was when the owner cleared a STOP
) STRICT;

CREATE TABLE contact_names (
  key     TEXT    NOT NULL PRIMARY KEY CHECK (key <> ''), -- fold.Key of the name and of each alias
  contact INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_names_contact ON contact_names (contact);

CREATE TABLE contact_numbers (
  number  TEXT    NOT NULL PRIMARY KEY CHECK (number GLOB '+[1-9]*'),
  contact INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_numbers_contact ON contact_numbers (contact);

CREATE TABLE texts (
  id        INTEGER PRIMARY KEY,                     -- texts are never deleted, so it grows
  carrier   TEXT    NOT NULL,                        -- '' for a text that we sent and the carrier gave no key
  kind      TEXT    NOT NULL,
  ref       TEXT    NOT NULL CHECK (ref <> ''),
  direction INTEGER NOT NULL CHECK (direction IN (1, 2)),
  number    TEXT    CHECK (number GLOB '+[1-9]*'),   -- of number, claim, code and label at most one is there; none: no sender at all
  code      TEXT,
  label     BLOB,
  body      BLOB    NOT NULL,
  folded    BLOB    NOT NULL,                        -- fold.Key of what is shown of the body: cleaned, and a received one's codes masked
  at        INTEGER NOT NULL,
  stored    INTEGER NOT NULL,
  images    INTEGER NOT NULL,
  delivery  TEXT    NOT NULL,
  stop      INTEGER NOT NULL,                        -- of a STOP, one more than contacts.stop_cleared was anywhere when it became one; 0: it is none
  group_of  INTEGER REFERENCES texts,                -- the first leg of the group MMS that this is another leg of
  send      TEXT,                                    -- the send that it came from
  unverified INTEGER NOT NULL DEFAULT 0              -- nothing says who it is from but itself: no contact's number, and no STOP
    CHECK (unverified = 0 OR unverified = 1 AND direction = 1 AND number IS NULL AND stop = 0),
  claim     TEXT                                     -- the number that an unverified one claims. It is no number: nothing finds a contact by it
    CHECK (claim IS NULL OR claim GLOB '+[1-9]*' AND unverified = 1 AND code IS NULL AND label IS NULL),
  pair      BLOB,                                    -- by which another carrier's word of the same text is found; NULL: it was, or there can be none
  UNIQUE (carrier, kind, ref),
  CHECK ((number IS NOT NULL) + (code IS NOT NULL) + (label IS NOT NULL) <= 1)
) STRICT;
CREATE INDEX texts_at ON texts (at, id);
CREATE INDEX texts_number ON texts (number, at, id);
CREATE INDEX texts_received ON texts (at, number, code, label, claim, unverified) WHERE direction = 1 AND group_of IS NULL;
CREATE INDEX texts_stored ON texts (stored) WHERE direction = 1 AND group_of IS NULL AND unverified = 0;
CREATE INDEX texts_stop ON texts (number, stop) WHERE stop > 0;
CREATE INDEX texts_unverified ON texts (stored) WHERE unverified = 1;
CREATE INDEX texts_pair ON texts (pair, unverified, at) WHERE pair IS NOT NULL;

CREATE TABLE ways (                                  -- by which a text came too, or came first: keys that are known beside its own
  carrier TEXT    NOT NULL,
  kind    TEXT    NOT NULL,
  ref     TEXT    NOT NULL CHECK (ref <> ''),
  text    INTEGER NOT NULL REFERENCES texts,
  PRIMARY KEY (carrier, kind, ref)
) STRICT, WITHOUT ROWID;

CREATE TABLE shown (
  text INTEGER PRIMARY KEY REFERENCES texts,
  at   INTEGER NOT NULL
) STRICT;
CREATE INDEX shown_at ON shown (at);

CREATE TABLE holds (
  scope TEXT    NOT NULL,
  kind  TEXT    NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (scope, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE hosts (
  host TEXT NOT NULL PRIMARY KEY                     -- of a link in a text that was sent
) STRICT, WITHOUT ROWID;

CREATE TABLE sends (
  n            INTEGER PRIMARY KEY,                  -- the order of the log
  id           TEXT    NOT NULL UNIQUE CHECK (id <> ''),
  contact      INTEGER NOT NULL,                     -- 0: no contact was found
  revision     INTEGER NOT NULL,
  number       TEXT    NOT NULL,
  body         BLOB    NOT NULL,                     -- of a refused one, which never goes, the first 2,048 bytes
  digest       BLOB    NOT NULL CHECK (length(digest) = 32), -- of the draft, with its whole body
  body_digest  BLOB    NOT NULL CHECK (length(body_digest) = 32),
  name         TEXT    NOT NULL,
  state        TEXT    NOT NULL,
  reasons      TEXT    NOT NULL,                     -- a JSON list
  strong       INTEGER NOT NULL,
  by           TEXT    NOT NULL,
  scope        TEXT    NOT NULL,
  kind         TEXT    NOT NULL,
  segments     INTEGER NOT NULL,
  created      INTEGER NOT NULL,
  expires      INTEGER NOT NULL,
  answered     INTEGER NOT NULL,
  reserved     INTEGER NOT NULL,
  ended        INTEGER NOT NULL,
  confirmed_by TEXT    NOT NULL,
  key_carrier  TEXT    NOT NULL,
  key_kind     TEXT    NOT NULL,
  key_ref      TEXT    NOT NULL,
  delivery     TEXT    NOT NULL,
  failure      TEXT    NOT NULL,
  tally        INTEGER NOT NULL                      -- 2: open; 1: over, and it reached or may have reached the carrier; 0: the others
  ,                                                  -- commas and brackets stand from here on where ALTER TABLE puts them
  only_by      TEXT    NOT NULL DEFAULT ''           -- the one channel whose yes counts, 'voice'; '': any other's does
    CHECK (only_by IN ('', 'voice') AND (confirmed_by = '' OR (confirmed_by = 'voice') = (only_by = 'voice'))),
  answer       BLOB) STRICT;                         -- of a yes by voice: the words that were judged to be it
CREATE INDEX sends_tally ON sends (tally, reserved) WHERE tally > 0;
CREATE INDEX sends_refused ON sends (n) WHERE state = 'refused' AND expires = 0;
CREATE INDEX sends_asked ON sends (created) WHERE expires <> 0 AND only_by = '';
CREATE INDEX sends_answered ON sends (answered) WHERE answered <> 0 AND only_by = '';

CREATE TABLE tokens (
  id      TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name    TEXT    NOT NULL CHECK (name <> ''),
  hash    BLOB    NOT NULL CHECK (length(hash) = 32),
  created INTEGER NOT NULL,
  revoked INTEGER NOT NULL
, may_confirm INTEGER NOT NULL DEFAULT 0 CHECK (may_confirm IN (0, 1))) STRICT; -- 1: a yes that comes by it counts, as a weak one
CREATE UNIQUE INDEX tokens_name ON tokens (name) WHERE revoked = 0;

CREATE TABLE secrets (
  name  TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE syncs (
  carrier TEXT    NOT NULL PRIMARY KEY,
  good    INTEGER NOT NULL,                          -- the last list that was whole
  asked   INTEGER NOT NULL,                          -- the last list that came, whole or not
  partial INTEGER NOT NULL,                          -- the first of the lists, up to that one, that were not whole
  tried   INTEGER NOT NULL,
  failure TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE flags (
  name TEXT    NOT NULL PRIMARY KEY,                 -- 'frozen': nothing is sent; 'copied': this is a backup, never opened yet
  at   INTEGER NOT NULL,                             -- 0: not known yet
  by   TEXT    NOT NULL                              -- of 'frozen': the owner's channel, or 'restored'
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
  text  INTEGER PRIMARY KEY REFERENCES texts,        -- a received text of which the owner is to be told
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4), -- 0: it waits; 1: held back for a summary; 2: told; 3: told of in a summary; 4: told, to have the name
  at    INTEGER NOT NULL,                            -- 0 while it waits; when its summary is due; when it was told
  sender ANY    NOT NULL                             -- whose it is: TEXT, a number that is known; a BLOB, anything else
) STRICT;
CREATE INDEX outbox_state ON outbox (state, at);
CREATE INDEX outbox_sender ON outbox (state, sender);

CREATE TABLE taps (                                  -- what a button on the owner's phone stands for
  hash    BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32), -- the SHA-256 of its token, which is kept nowhere
  send    TEXT    NOT NULL CHECK (send <> ''),
  digest  BLOB    NOT NULL CHECK (length(digest) = 32), -- of the draft that was shown
  action  TEXT    NOT NULL CHECK (action <> ''),
  expires INTEGER NOT NULL,
  used    INTEGER NOT NULL                           -- when it was pressed; 0: not yet
) STRICT, WITHOUT ROWID;
CREATE INDEX taps_expires ON taps (expires);

CREATE TABLE questions (                             -- what a yes in the client itself would be for: by a question of the protocol, or by the card
  hash      BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32), -- the SHA-256 of its secret, which is kept nowhere
  channel   TEXT    NOT NULL CHECK (channel <> ''),
  send      TEXT    NOT NULL CHECK (send <> ''),
  digest    BLOB    NOT NULL CHECK (length(digest) = 32), -- of the draft that was shown
  principal TEXT    NOT NULL CHECK (principal <> ''),  -- who was asked
  call      BLOB    NOT NULL CHECK (length(call) = 32), -- the digest of the arguments of the call that asked
  expires   INTEGER NOT NULL,
  used      INTEGER NOT NULL                         -- when it was answered; 0: not yet
) STRICT, WITHOUT ROWID;
CREATE INDEX questions_expires ON questions (expires);

CREATE TABLE images (                                -- of a text that was received, in the order in which they came
  text   INTEGER NOT NULL REFERENCES texts,
  n      INTEGER NOT NULL,
  source TEXT    NOT NULL,                           -- where the provider has it: its URL or id
  state  TEXT    NOT NULL,
  kind   TEXT    NOT NULL,
  bytes  INTEGER NOT NULL,
  width  INTEGER NOT NULL,
  height INTEGER NOT NULL,
  file   TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (text, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_clients (                         -- who may ask the owner to be let in
  id        TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  name      TEXT    NOT NULL,
  redirects TEXT    NOT NULL,                        -- a JSON list
  created   INTEGER NOT NULL,
  granted   INTEGER NOT NULL,
  fetched   INTEGER NOT NULL,
  fresh     INTEGER NOT NULL                         -- milliseconds
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
  gave      TEXT    NOT NULL                         -- the grant; '': none
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_created ON oauth_codes (created);

CREATE TABLE oauth_grants (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (id <> ''),
  client      TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  goes        TEXT    NOT NULL,                      -- the host that its codes went to
  resource    TEXT    NOT NULL,
  scopes      INTEGER NOT NULL,
  principal   TEXT    NOT NULL,
  may_confirm INTEGER NOT NULL CHECK (may_confirm IN (0, 1)),
  created     INTEGER NOT NULL,
  used        INTEGER NOT NULL,
  ended       INTEGER NOT NULL,
  why         TEXT    NOT NULL,
  last        INTEGER NOT NULL,                      -- from here on: where its refresh tokens stand
  turn        INTEGER NOT NULL,
  came        INTEGER NOT NULL,                      -- the pair that turn was given for
  turned      INTEGER NOT NULL,
  past        INTEGER NOT NULL,
  heard       INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_tokens (
  hash    BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  refresh INTEGER NOT NULL CHECK (refresh IN (0, 1)),
  of      TEXT    NOT NULL,                          -- the grant
  seq     INTEGER NOT NULL,
  parent  INTEGER NOT NULL,
  scopes  INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_tokens_of ON oauth_tokens (of, refresh, seq);

CREATE TABLE talks (                                 -- passes: the owner's browser is let into one room, once
  room     BLOB    NOT NULL PRIMARY KEY CHECK (length(room) = 32), -- the SHA-256 of its name
  identity TEXT    NOT NULL CHECK (identity <> ''),  -- as whom the browser joins it
  made     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX talks_made ON talks (made);

CREATE TABLE leases (                                -- rooms whose call somebody leads: one process, and it alone
  sid  TEXT    NOT NULL PRIMARY KEY CHECK (sid <> ''), -- the room's, as the LiveKit server names it
  room TEXT    NOT NULL CHECK (room <> ''),          -- its name
  by   TEXT    NOT NULL CHECK (by <> ''),            -- who leads: our name of the job
  beat INTEGER NOT NULL                              -- how often it was renewed: no time, of which a clock could make two leaders
) STRICT, WITHOUT ROWID;
