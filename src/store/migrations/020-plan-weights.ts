/** Gives organisations turns by their plans: the one whose plan weighs twice as much may have twice as many documents running as another (turns.ts). */
export const planWeights = `
ALTER TABLE plan ADD COLUMN weight BIGINT NOT NULL DEFAULT 1 CHECK (weight > 0);
`;
