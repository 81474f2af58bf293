/**
 * Short documents pass long ones: a job has its lane, and its place in the order of its organisation (lanes.ts, turns.ts). Jobs
 * that wait during the upgrade keep their order; nobody knows how long they take.
 */
export const lanes = `
ALTER TABLE job ADD COLUMN lane INTEGER NOT NULL DEFAULT 4;
ALTER TABLE job ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
UPDATE job SET place = created_at - CASE priority WHEN 0 THEN 30000 ELSE 0 END WHERE finished_at IS NULL;
DROP INDEX job_turn;
CREATE INDEX job_turn ON job (organisation_id, lane, place, id) WHERE status = 'queued';
`;
