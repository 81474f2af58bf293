export const ORGANISATION_PATH = '/organisation';
export const MEMBERS_PATH = `${ORGANISATION_PATH}/members`;
export const LINKS_PATH = `${ORGANISATION_PATH}/links`;
export const SESSIONS_PATH = `${ORGANISATION_PATH}/sessions`;
export const DISCONNECT_PATH = `${ORGANISATION_PATH}/disconnect`;
export const AUDIT_PATH = `${ORGANISATION_PATH}/audit`;
