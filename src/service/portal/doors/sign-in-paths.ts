import { ENTER_PATH, PORTAL_PATH } from '../../../contract/portal.js';

/** Paths of a sign-in: to the provider, and back from it. */
export const SIGN_IN_PATH = `${PORTAL_PATH}/sign-in`;
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
/** The page of the door for somebody whom the provider knows and nobody here does. */
export const UNKNOWN_ACCOUNT = `${ENTER_PATH}?account`;
/** The page below /portal that asks a member whether an account is theirs. */
export const CONNECT_PATH = '/organisation/connect';
