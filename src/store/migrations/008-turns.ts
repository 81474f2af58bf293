/**
 * Queued jobs are found by their organisation, so that one with many jobs does not hide the others. `worker_time` holds how
 * much of the workers' time each organisation used lately (turns.ts).
 */
export const turns = `
CREATE INDEX job_turn ON job (organisation_id, priority, created_at, id) WHERE status = 'queued';
CREATE INDEX job_busy ON job (organisation_id) WHERE status = 'processing';
DROP INDEX job_waiting;
CREATE TABLE worker_time (
  organisation_id TEXT PRIMARY KEY REFERENCES organisation (id),
  fades_at BIGINT NOT NULL
);
`;
