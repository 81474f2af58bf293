export const OPERATOR_PATH = '/operator';
export const ORGANISATIONS_PATH = `${OPERATOR_PATH}/organisations`;
export const PLANS_PATH = `${OPERATOR_PATH}/plans`;
export const PROCESSES_PATH = `${OPERATOR_PATH}/processes`;
export const STAFF_SESSIONS_PATH = `${OPERATOR_PATH}/sessions`;
export const STAFF_AUDIT_PATH = `${OPERATOR_PATH}/audit`;
