import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OcrError } from '../../contract/ocr-error.js';
import { explainSecretFile, writeSecretOnce } from './secret-file.js';

export const SECRET_FILE_NAME = 'secret';
const SECRET_BYTES = 32;
const CIPHER = 'aes-256-gcm';

/** Purpose and row of a sealed value. It opens nowhere else. */
export interface Place {
  use: 'job arguments' | 'webhook secret' | 'portal sign-in';
  id: string;
}

/** Encrypts secrets, so that the store, its journal and its backups never hold them in clear text. */
export interface SecretBox {
  seal(text: string, place: Place): string;
  /** @throws Error for what was sealed with another key, for another place, or changed */
  open(sealed: string, place: Place): string;
  /** Returns the same value for equal texts. The store alone does not allow guessing the text from it. */
  fingerprint(text: string): string;
}

/**
 * Opens the box with the key of the data directory, a file beside the store. The first user creates it: the service at its
 * first start, or `ocr admin` before that.
 */
export async function openSecretBox(dataDir: string): Promise<SecretBox> {
  return createSecretBox(await readOrCreateSecret(join(dataDir, SECRET_FILE_NAME)));
}

/**
 * Opens the box with the key that all processes of a database have. Without `mayCreate` a missing key is undefined.
 * @throws OcrError CONFIG_INVALID where it cannot be read or made, DATA_DIR_INCOMPATIBLE for a damaged one
 */
export async function openSharedSecretBox(path: string, mayCreate: boolean): Promise<SecretBox | undefined> {
  const reading = mayCreate ? readOrCreateSecret(path) : readSecret(path);
  const secret = await reading.catch((error: unknown) => {
    throw explainSecretFile(path, error);
  });
  return secret === undefined ? undefined : createSecretBox(secret);
}

function createSecretBox(secret: Buffer): SecretBox {
  return {
    seal: (text, place) => encrypt(deriveKey(secret, place), text, describePlace(place)),
    open: (sealed, place) => decrypt(deriveKey(secret, place), sealed, describePlace(place)),
    fingerprint: (text) => createHmac('sha256', secret).update(text).digest('hex'),
  };
}

/** Derives a key for each use (RFC 5869). The secret itself keys fingerprints. */
function deriveKey(secret: Buffer, { use }: Place): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `ocr sealed ${use}`, SECRET_BYTES));
}

function describePlace({ use, id }: Place): string {
  return `${use}\n${id}`;
}

function encrypt(key: Buffer, text: string, place: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function decrypt(key: Buffer, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
}

async function readOrCreateSecret(path: string): Promise<Buffer> {
  const found = await readSecret(path);
  if (found !== undefined) return found;
  const secret = randomBytes(SECRET_BYTES);
  if (await writeSecretOnce(path, secret)) return secret;
  // Another process was first, so its secret is used.
  return (await readSecret(path)) ?? (await readOrCreateSecret(path));
}

/** A key of another length cannot open earlier values. An error is safer than a new key. */
async function readSecret(path: string): Promise<Buffer | undefined> {
  const secret = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (secret !== undefined && secret.length !== SECRET_BYTES)
    throw new OcrError(
      'DATA_DIR_INCOMPATIBLE',
      `The secret ${path} is damaged: it has ${secret.length} bytes instead of ${SECRET_BYTES}`,
      {
        hint: 'Restore it from a back-up, or copy it from another process of the service. What it sealed opens with no other one.',
      },
    );
  return secret;
}
