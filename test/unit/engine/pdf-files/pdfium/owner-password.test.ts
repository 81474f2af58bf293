import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPdf } from '../../../../../dist/engine/pdf-files/pdfium/pdfium.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owner-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Spellings of the entries: hexadecimal digits, or bytes that are all escaped. */
type Spelling = 'digits' | 'bytes';

/** An empty page whose user's password is "reader", in the first form of AES-256. */
async function lock(ownerPassword: string, spelling: Spelling): Promise<string> {
  const document = await PDFDocument.create();
  document.addPage([200, 100]);
  const plain = Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1');
  const key = randomBytes(32);
  const hash = (...parts: (string | Buffer)[]) =>
    createHash('sha256')
      .update(Buffer.concat(parts.map(bytesOf)))
      .digest();
  const wrap = (by: Buffer, bytes: Buffer, mode: 'aes-256-cbc' | 'aes-256-ecb') =>
    createCipheriv(mode, by, mode === 'aes-256-cbc' ? Buffer.alloc(16) : null)
      .setAutoPadding(false)
      .update(bytes);
  const entry = (password: string, user: Buffer) => {
    const [check, salt] = [randomBytes(8), randomBytes(8)];
    return [
      Buffer.concat([hash(password, check, user), check, salt]),
      wrap(hash(password, salt, user), key, 'aes-256-cbc'),
    ] as const;
  };
  const [U, UE] = entry('reader', Buffer.alloc(0));
  const [O, OE] = entry(ownerPassword, U);
  const permissions = Buffer.concat([Buffer.from([252, 255, 255, 255, 255, 255, 255, 255]), Buffer.from('Tadb....')]);
  const Perms = wrap(key, permissions, 'aes-256-ecb');
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;
  const spell = (bytes: Buffer) =>
    spelling === 'digits' ? `<${bytes.toString('hex')}>` : `(${[...bytes].map(octal).join('')})`;
  const entries = Object.entries({ U, UE, O, OE, Perms }).map(([name, bytes]) => `/${name} ${spell(bytes)}`);
  const dict =
    '<< /Filter /Standard /V 5 /R 5 /Length 256 /P -4 /StmF /StdCF /StrF /StdCF ' +
    `/CF << /StdCF << /AuthEvent /DocOpen /CFM /AESV3 /Length 32 >> >> ${entries.join(' ')} >>`;
  // The streams of the page are empty or absent: none needs to be encrypted.
  const path = join(folder, `${spelling}-${ownerPassword}.pdf`);
  await writeFile(
    path,
    Buffer.from(
      plain.replace(/trailer\s*<</, (start) => `${start} /ID [<00> <00>] /Encrypt ${dict}`),
      'latin1',
    ),
  );
  return path;
}

const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? Buffer.from(part) : part);

async function pagesOf(path: string, password?: string): Promise<number> {
  const pdf = await openPdf(path, password);
  pdf.close();
  return pdf.pageCount;
}

describe('a PDF of AES-256 with a password for its user', () => {
  it.each(['digits', 'bytes'] as const)(
    'and an empty one for its owner, in %s → opens without one',
    async (spelling) => {
      const path = await lock('', spelling);
      const before = await readFile(path);
      expect(await pagesOf(path)).toBe(1);
      expect(await pagesOf(path, 'reader')).toBe(1);
      expect(await readFile(path)).toEqual(before);
    },
  );

  it('of the final form, and an empty one for its owner → opens without one', async () => {
    const document = await PDFDocument.create();
    document.addPage([200, 100]);
    // The library takes an empty password of the owner for none; an object of it is not falsy.
    document.encrypt({ userPassword: 'reader', ownerPassword: Object(''), algorithm: 'AES-256' });
    const path = join(folder, 'final.pdf');
    await writeFile(path, await document.save({ useObjectStreams: false }));
    expect(await pagesOf(path)).toBe(1);
    expect(await pagesOf(path, 'reader')).toBe(1);
  });

  it('and one for its owner → needs a password', async () => {
    const path = await lock('keeper', 'digits');
    await expect(pagesOf(path)).rejects.toMatchObject({ reason: 'encrypted' });
    expect(await pagesOf(path, 'keeper')).toBe(1);
  });
});
