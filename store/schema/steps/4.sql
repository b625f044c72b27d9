-- From version 3 to 4: drafts that are made on a call, for the yes of that channel alone, and the words of the yes. They count in no limit on asking.
ALTER TABLE sends ADD COLUMN only_by TEXT NOT NULL DEFAULT ''
  CHECK (only_by IN ('', 'voice') AND (confirmed_by = '' OR (confirmed_by = 'voice') = (only_by = 'voice')));
ALTER TABLE sends ADD COLUMN answer BLOB;
DROP INDEX sends_asked;
CREATE INDEX sends_asked ON sends (created) WHERE expires <> 0 AND only_by = '';
DROP INDEX sends_answered;
CREATE INDEX sends_answered ON sends (answered) WHERE answered <> 0 AND only_by = '';
