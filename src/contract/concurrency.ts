/** How many documents a command may send at once, as it is typed: by a flag as by a setting. */
export const CONCURRENCY = /^(?:[1-9]|[1-9]\d|[12]\d\d)$/;
export const CONCURRENCY_IN_WORDS = 'a whole number from 1 to 299';
