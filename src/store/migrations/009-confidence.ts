/** Mean confidence of the recognised words (meta.confidence); NULL where none was recognised. */
export const confidence = `
ALTER TABLE result ADD COLUMN confidence DOUBLE PRECISION;
`;
