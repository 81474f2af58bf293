/** Path of the portal, and of the page that a link opens; the link's token is the whole fragment, which no log has. */
export const PORTAL_PATH = '/portal';
export const ENTER_PATH = `${PORTAL_PATH}/enter`;

/** The field of every form of the portal that changes something. */
export const FORM_TOKEN_FIELD = 'formToken';
