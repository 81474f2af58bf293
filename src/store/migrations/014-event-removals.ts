/**
 * The last event of each organisation that was removed, so that whoever goes on after an older one learns that events are
 * missing. A trigger writes it, because events are removed for several reasons. The index finds the place of an unknown id.
 */
export const eventRemovals = `
CREATE TABLE event_removal (
  organisation_id TEXT PRIMARY KEY REFERENCES organisation (id),
  number BIGINT NOT NULL,
  id TEXT NOT NULL
);
CREATE TRIGGER event_removed AFTER DELETE ON event BEGIN
  INSERT INTO event_removal (organisation_id, number, id) VALUES (OLD.organisation_id, OLD.number, OLD.id)
    ON CONFLICT (organisation_id) DO UPDATE SET number = excluded.number, id = excluded.id
      WHERE excluded.number > event_removal.number;
END;
CREATE INDEX event_place ON event (organisation_id, id);
`;
