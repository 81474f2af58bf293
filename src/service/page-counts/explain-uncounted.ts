import type { ServiceErrorCode } from '../../contract/error-codes.js';
import { explainRefusal } from '../documents/explain-refusal.js';
import type { CountOutcome } from './page-counter.js';

/** Returns the error of a document whose pages cannot be counted, in the call or in the job. */
export function explainUncounted(outcome: Extract<CountOutcome, { type: 'refused' | 'died' }>): {
  code: ServiceErrorCode;
  message: string;
} {
  if (outcome.type === 'refused') return explainRefusal(outcome);
  return { code: 'INVALID_DOCUMENT', message: `The pages of the document cannot be counted: ${outcome.message}` };
}
