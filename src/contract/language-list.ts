/** Languages as they are typed: codes, or names of one word, with plus signs or commas between them. */
export const LANGUAGE_LIST = /^[A-Za-z]\w*(?:[+,] ?[A-Za-z]\w*)*$/;
export const LANGUAGE_LIST_IN_WORDS = 'codes of languages, like deu+eng';
