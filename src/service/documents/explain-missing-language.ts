import { toLanguageCode } from '../../contract/languages.js';
import type { Outcome } from './protocol.js';

/** The engine's words, which end with a command for the machine of the service. */
const NOT_INSTALLED = /^the language "(\w+)" is not installed: ocr languages install \w+$/;

/**
 * Says who can install a missing language: the caller only where their own command started the service. A code of no
 * language is not offered an installation. Other outcomes stay.
 */
export function explainMissingLanguage(outcome: Outcome, isOfCaller: boolean): Outcome {
  if (outcome.type !== 'refused') return outcome;
  const [, code] = NOT_INSTALLED.exec(outcome.message) ?? [];
  if (code === undefined) return outcome;
  if (toLanguageCode(code) === undefined) return { ...outcome, message: `there is no data for a language "${code}"` };
  if (isOfCaller) return outcome;
  const remedy = `whoever runs the service can install it there (ocr languages install ${code})`;
  return { ...outcome, message: `the language "${code}" is not installed: ${remedy}` };
}
