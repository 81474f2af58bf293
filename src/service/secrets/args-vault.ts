import { canonicalJson } from '../../contract/canonical-json.js';
import type { Place, SecretBox } from './secret-box.js';

export type Args = Record<string, unknown>;

/** Keeps arguments that a schema marks `writeOnly` (a password) out of the store. */
export interface ArgsVault {
  /** Returns the text to store with a job, encrypted when it holds a secret. */
  seal(args: Args, argsSchema: Record<string, unknown>, jobId: string): string;
  open(stored: string, jobId: string): Args;
  /** Returns the same value for equal arguments. The store alone does not allow guessing a password from it. */
  fingerprint(args: Args): string;
}

export function createArgsVault(box: SecretBox): ArgsVault {
  return {
    seal: (args, argsSchema, jobId) =>
      hasSecret(args, argsSchema)
        ? JSON.stringify({ sealed: box.seal(JSON.stringify(args), placeOf(jobId)) })
        : wrap(args),
    open: (stored, jobId) => {
      const { sealed, args } = JSON.parse(stored) as { sealed?: string; args?: Args };
      return sealed === undefined ? (args ?? {}) : (JSON.parse(box.open(sealed, placeOf(jobId))) as Args);
    },
    fingerprint: (args) => box.fingerprint(canonicalJson(args)),
  };
}

function placeOf(id: string): Place {
  return { use: 'job arguments', id };
}

function wrap(args: Args): string {
  return JSON.stringify({ args });
}

function hasSecret(args: Args, argsSchema: Record<string, unknown>): boolean {
  const properties = (argsSchema.properties ?? {}) as Record<string, { writeOnly?: boolean }>;
  return Object.keys(args).some((name) => properties[name]?.writeOnly === true);
}
