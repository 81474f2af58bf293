/** Valid values, in a flag and in a setting, for the number of documents that a command sends at once. */
export const CONCURRENCY = /^(?:[1-9]|[1-9]\d|[12]\d\d)$/;
export const CONCURRENCY_IN_WORDS = 'a whole number from 1 to 299';
