/**
 * Documents of each organisation by the day, UTC, on which they were accepted: `failed` are those that were given back, so that
 * `accepted - failed` is what counts in a plan, and `pages` those of read documents. `cached` are answers from the cache. Days
 * before this version have no rows.
 */
export const usageDays = `
CREATE TABLE usage_day (
  organisation_id TEXT NOT NULL REFERENCES organisation (id),
  day TEXT NOT NULL,
  accepted BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  cached BIGINT NOT NULL,
  pages BIGINT NOT NULL,
  PRIMARY KEY (organisation_id, day)
);
`;
