import type { ServiceErrorCode } from '../../../../contract/error-codes.js';
import { withoutAdvice } from '../../../../contract/foreign-type.js';
import { EMPTY_FILE } from '../../../http/receive-upload.js';
import type { FieldError } from '../../components/fields.js';
import { fieldOf } from './argument-fields.js';

/** The field that takes the document. */
export const FILE_FIELD = 'file';

/** A refusal that is about no field, and what to do. */
export interface Refusal {
  title: string;
  message: string;
  next: string;
  /** A page that helps. */
  link?: { path: string; text: string };
}

/** A refused call, by which whoever runs the service finds it. */
export interface RefusedCall {
  requestId: string;
  code: ServiceErrorCode;
  status: number;
}

const OF_FILE: readonly ServiceErrorCode[] = [
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'PAGE_LIMIT_EXCEEDED',
  'INVALID_DOCUMENT',
];

const OVERVIEW = { path: '/overview', text: 'See what is used and left' };
const OTHERS: Partial<Record<ServiceErrorCode, Omit<Refusal, 'message'>>> = {
  QUOTA_EXCEEDED: {
    title: 'No documents are left',
    next: 'Wait for the next period, or ask whoever runs this service for a larger plan.',
    link: OVERVIEW,
  },
  RATE_LIMITED: { title: 'Too many calls at once', next: 'Then run it again; what you typed is still here.' },
  PAYMENT_REQUIRED: { title: 'The subscription is not active', next: 'Ask whoever runs this service to renew it.' },
  FORBIDDEN: {
    title: 'The plan does not include this function',
    next: 'Try a function that it includes, or ask whoever runs this service.',
    link: { path: '/functions', text: 'See the functions of the plan' },
  },
  PROVIDER_UNAVAILABLE: { title: 'The service is busy', next: 'Run it again in a few seconds. It was not counted.' },
};
const UNKNOWN = { title: 'It did not run', next: 'Run it again; if it fails again, quote the request ID to support.' };

/** Returns where the page says why a call was refused: beside a field, or above the form. */
export function explainCall(code: ServiceErrorCode, message: string): { errors: FieldError[]; refusal?: Refusal } {
  // Errors of an argument that only the document shows, such as pages beyond its last one.
  const [, name, text] = /^args at \/([^/:]+)[^:]*: (.*)$/s.exec(message) ?? [];
  if (code === 'INVALID_ARGS' && name !== undefined && text !== undefined)
    return { errors: [{ field: fieldOf(name), message: sentence(text) }] };
  if (message === EMPTY_FILE) return refuseFile('The file is empty: choose another one');
  if (OF_FILE.includes(code)) return refuseFile(adviseInBrowser(message));
  return { errors: [], refusal: { ...(OTHERS[code] ?? UNKNOWN), message } };
}

function refuseFile(message: string): { errors: FieldError[] } {
  return { errors: [{ field: FILE_FIELD, message }] };
}

/** Puts words for whoever sits at a browser in the place of the command that converts a file. */
function adviseInBrowser(message: string): string {
  const refusal = withoutAdvice(message);
  return refusal === message ? message : `${refusal}. Save it as PDF first`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
