const TABLE = `
CREATE TABLE event_removal (
  organisation_id TEXT PRIMARY KEY REFERENCES organisation (id),
  number BIGINT NOT NULL,
  id TEXT NOT NULL
);
CREATE INDEX event_place ON event (organisation_id, id);
`;

const NOTE_REMOVAL = `
  INSERT INTO event_removal (organisation_id, number, id) VALUES (OLD.organisation_id, OLD.number, OLD.id)
    ON CONFLICT (organisation_id) DO UPDATE SET number = excluded.number, id = excluded.id
      WHERE excluded.number > event_removal.number;`;

/**
 * The last event of each organisation that was removed, so that whoever goes on after an older one learns that events are
 * missing. A trigger writes it, because events are removed for several reasons. The index finds the place of an unknown id.
 */
export const eventRemovals = {
  sqlite: `${TABLE}
CREATE TRIGGER event_removed AFTER DELETE ON event BEGIN ${NOTE_REMOVAL}
END;
`,
  postgres: `${TABLE}
CREATE FUNCTION note_event_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${NOTE_REMOVAL}
  RETURN NULL;
END $$;
CREATE TRIGGER event_removed AFTER DELETE ON event FOR EACH ROW EXECUTE FUNCTION note_event_removal();
`,
};
