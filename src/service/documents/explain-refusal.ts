import type { ServiceErrorCode } from '../../contract/error-codes.js';
import type { DocumentErrorReason } from '../../engine/model/document-error.js';

const CODES: Record<DocumentErrorReason, ServiceErrorCode> = {
  'unsupported-type': 'UNSUPPORTED_MEDIA_TYPE',
  encrypted: 'INVALID_DOCUMENT',
  'wrong-password': 'INVALID_DOCUMENT',
  damaged: 'INVALID_DOCUMENT',
  timeout: 'INVALID_DOCUMENT',
  'no-pages': 'INVALID_DOCUMENT',
  'too-large': 'INVALID_DOCUMENT',
  'invalid-argument': 'INVALID_ARGS',
};

/** Converts the engine's reason to a code of the contract. */
export function explainRefusal(refusal: {
  reason: DocumentErrorReason;
  message: string;
  pointer: string | undefined;
}): { code: ServiceErrorCode; message: string } {
  const code = CODES[refusal.reason];
  const prefix = refusal.pointer === undefined ? 'The document cannot be read' : `args at ${refusal.pointer}`;
  return { code, message: `${prefix}: ${refusal.message}` };
}
