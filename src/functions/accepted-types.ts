import { IMAGE_TYPES, PDF_TYPE } from '../engine/sniff.js';

/** What every function of ours reads, as `sniffBytes` names it. */
export const DOCUMENT_TYPES: readonly string[] = [PDF_TYPE, ...IMAGE_TYPES];
