/** Of two organisations that wait, the one whose plan weighs twice as much may have twice as many documents running (turns.ts). */
export const planWeights = `
ALTER TABLE plan ADD COLUMN weight BIGINT NOT NULL DEFAULT 1 CHECK (weight > 0);
`;
