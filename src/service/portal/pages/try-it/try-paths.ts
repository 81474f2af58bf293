import { FUNCTIONS_PATH } from '../functions/list-page.js';

/** Returns the path of the form of a function, which is also that of the POST. */
export function tryPathOf(functionId: string): string {
  return `${FUNCTIONS_PATH}/${functionId}/try`;
}

/** Returns the path of a result. `tryId` is signed for one session. */
export function resultPathOf(functionId: string, tryId: string): string {
  return `${tryPathOf(functionId)}/${tryId}`;
}
