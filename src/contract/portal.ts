/** Path of the portal, and of the page that a link opens; the link's token is the whole fragment, which no log has. */
export const PORTAL_PATH = '/portal';
export const ENTER_PATH = `${PORTAL_PATH}/enter`;

/** Stands for a key in the log of calls that people make in the portal. */
export const PORTAL_KEY = 'portal';

/** Renders the end of a key as lists show it: `…a1b2`, or `portal`. */
export function renderKeyEnd(lastFour: string): string {
  return lastFour === PORTAL_KEY ? PORTAL_KEY : `…${lastFour}`;
}

/** The field of every form of the portal that changes something. */
export const FORM_TOKEN_FIELD = 'formToken';
