import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../contract/canonical-json.js';
import { writeFileAtomically } from './write-file-atomically.js';

export const SECRET_FILE_NAME = 'secret';
const SECRET_BYTES = 32;
const CIPHER = 'aes-256-gcm';

export type Args = Record<string, unknown>;

/** Keeps arguments that a schema marks `writeOnly` (a password) out of the store, its journal and its back-ups. */
export interface ArgsVault {
  /** Text to store with a job; encrypted where it holds a secret. */
  seal(args: Args, argsSchema: Record<string, unknown>): string;
  open(stored: string): Args;
  /** The same for equal arguments, and useless for guessing a password from the store alone. */
  fingerprint(args: Args): string;
}

/** The key stands in a file of its own beside the store, made at the first start. */
export async function openArgsVault(dataDir: string): Promise<ArgsVault> {
  const secret = await readOrCreateSecret(join(dataDir, SECRET_FILE_NAME));
  return {
    seal: (args, argsSchema) =>
      hasSecret(args, argsSchema) ? JSON.stringify({ sealed: encrypt(secret, JSON.stringify(args)) }) : wrap(args),
    open: (stored) => {
      const { sealed, args } = JSON.parse(stored) as { sealed?: string; args?: Args };
      return sealed === undefined ? (args ?? {}) : (JSON.parse(decrypt(secret, sealed)) as Args);
    },
    fingerprint: (args) => createHmac('sha256', secret).update(canonicalJson(args)).digest('hex'),
  };
}

function wrap(args: Args): string {
  return JSON.stringify({ args });
}

function hasSecret(args: Args, argsSchema: Record<string, unknown>): boolean {
  const properties = (argsSchema.properties ?? {}) as Record<string, { writeOnly?: boolean }>;
  return Object.keys(args).some((name) => properties[name]?.writeOnly === true);
}

function encrypt(secret: Buffer, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, secret, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function decrypt(secret: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}

async function readOrCreateSecret(path: string): Promise<Buffer> {
  try {
    const secret = await readFile(path);
    if (secret.length === SECRET_BYTES) return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(SECRET_BYTES);
  await writeFileAtomically(path, secret);
  return secret;
}
