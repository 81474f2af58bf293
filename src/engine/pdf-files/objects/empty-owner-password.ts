import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { toBytes, toNumber } from './decode-value.js';
import { findEncryption } from './find-encryption.js';
import type { PdfValue } from './values.js';

/** Encryption whose passwords are apart from the key of the file: AES-256, in its first and its final form. */
const [FIRST_REVISION, REVISION] = [5, 6];
/** Bytes of the hash of a password, of a salt, and of both entries with their two salts. */
const [HASH, SALT, ENTRY] = [32, 8, 48];
const KEY_BYTES = 32;
/** Salts that are tried until the entries are no longer than the ones that they replace. */
const MAX_ATTEMPTS = 64;

/**
 * Lets a PDF in memory open without a password where its owner's password is empty, which PDFium does not try: gives it an
 * empty user's password in place of the one that it has. True when the bytes were changed. Source: ISO 32000-2, 7.6.4.
 */
export function openToEmptyOwner(file: Buffer): boolean {
  const found = findEncryption(file);
  const revision = toNumber(found?.dict.get('R'));
  if (found === undefined || (revision !== FIRST_REVISION && revision !== REVISION)) return false;
  const entry = (name: string, length: number) => bytesOf(found.dict.get(name))?.subarray(0, length);
  const [owner, ownerKey, user] = [entry('O', ENTRY), entry('OE', KEY_BYTES), entry('U', ENTRY)];
  if (owner?.length !== ENTRY || ownerKey?.length !== KEY_BYTES || user?.length !== ENTRY) return false;
  const hash = (salt: Uint8Array, userEntry: Uint8Array) => hashEmpty(revision, salt, userEntry);
  const [check, salt] = saltsOf(owner);
  if (!hash(check, user).equals(owner.subarray(0, HASH))) return false;
  const key = cipherKey(createDecipheriv, hash(salt, user), ownerKey);
  const nobody = new Uint8Array(0);
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const salts = randomBytes(2 * SALT);
    const newUser = Buffer.concat([hash(salts.subarray(0, SALT), nobody), salts]);
    const newUserKey = cipherKey(createCipheriv, hash(salts.subarray(SALT), nobody), key);
    const changes = [changeOf('U', newUser), changeOf('UE', newUserKey)];
    if (changes.every((change) => change !== undefined)) {
      for (const { at, text } of changes) file.write(text, at, 'latin1');
      return true;
    }
  }
  return false;

  /** The new entry and its place in the file; undefined where it does not fit there. */
  function changeOf(name: string, bytes: Buffer): { at: number; text: string } | undefined {
    const written = found?.dict.get(name);
    if (found === undefined || typeof written !== 'string') return undefined;
    const at = file.indexOf(written, found.at, 'latin1');
    const hex = `<${bytes.toString('hex')}>`;
    const text = hex.length <= written.length ? hex : `(${bytes.toString('latin1').replace(/[()\\\r]/g, escapeSign)})`;
    return at < 0 || text.length > written.length ? undefined : { at, text: text.padEnd(written.length) };
  }
}

const escapeSign = (sign: string): string => (sign === '\r' ? '\\r' : `\\${sign}`);

const saltsOf = (entry: Uint8Array): [Uint8Array, Uint8Array] => [
  entry.subarray(HASH, HASH + SALT),
  entry.subarray(HASH + SALT, ENTRY),
];

const bytesOf = (value: PdfValue | undefined): Uint8Array | undefined =>
  value === undefined ? undefined : toBytes(value);

function cipherKey(create: typeof createCipheriv | typeof createDecipheriv, by: Buffer, key: Uint8Array): Buffer {
  return create('aes-256-cbc', by, Buffer.alloc(16)).setAutoPadding(false).update(key);
}

/** Rounds of the hash, at least. */
const MIN_ROUNDS = 64;
const REPEATS = 64;

/** The hash of an empty password (algorithm 2.B; in the first revision a plain SHA-256). */
function hashEmpty(revision: number, salt: Uint8Array, userEntry: Uint8Array): Buffer {
  let hashed = createHash('sha256').update(salt).update(userEntry).digest();
  if (revision === FIRST_REVISION) return hashed;
  for (let [round, last] = [0, 0]; round < MIN_ROUNDS || last > round - 32; round++) {
    const repeated = Buffer.concat(Array.from({ length: REPEATS }, () => [hashed, userEntry]).flat());
    const encrypted = createCipheriv('aes-128-cbc', hashed.subarray(0, 16), hashed.subarray(16, 32))
      .setAutoPadding(false)
      .update(repeated);
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    hashed = createHash(['sha256', 'sha384', 'sha512'][remainder] ?? '')
      .update(encrypted)
      .digest();
    last = encrypted.at(-1) ?? 0;
  }
  return hashed.subarray(0, HASH);
}
