import { explainUnknownFunction } from '../../functions/describe-functions.js';

/** Says why a list of an administrator is empty. Calls of an unknown function are logged too, so that the filter is no error. */
export function explainNothing(what: 'jobs' | 'requests', functionName: string | undefined): string {
  return (functionName === undefined ? undefined : explainUnknownFunction(functionName)) ?? `No such ${what}.`;
}
