/** The stream that tells open pages of changes, below /portal. */
export const LIVE_PATH = '/live';
