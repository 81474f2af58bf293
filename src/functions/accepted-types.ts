import { IMAGE_TYPES, PDF_TYPE } from '../engine/sniff.js';

/** Types that every function of ours reads, as `sniffBytes` names them. */
export const DOCUMENT_TYPES: readonly string[] = [PDF_TYPE, ...IMAGE_TYPES];
