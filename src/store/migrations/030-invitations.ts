/**
 * Invitations: links that an owner sees and takes back have an id and their maker; NULL for links of before. A session has a
 * description of its browser.
 */
export const invitations = `
ALTER TABLE portal_link ADD COLUMN id TEXT;
ALTER TABLE portal_link ADD COLUMN made_by TEXT;
ALTER TABLE portal_session ADD COLUMN browser TEXT;
`;
