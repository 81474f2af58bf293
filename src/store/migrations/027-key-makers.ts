/** Names who made a key: a member, or the command line. NULL for keys of before and for the first one. */
export const keyMakers = `
ALTER TABLE api_key ADD COLUMN made_by TEXT;
`;
