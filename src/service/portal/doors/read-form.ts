import type { FastifyReply, FastifyRequest } from 'fastify';
import { allowBody } from '../../http/send-answer.js';

const MAX_FORM_BYTES = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Reads the fields of a form, or says why not: the body is larger than any form here, or something else. */
export async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<URLSearchParams | 'too-large' | 'no-form'> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const length = Number(request.headers['content-length'] ?? 0);
  if (type !== FORM_TYPE) return 'no-form';
  if (length > MAX_FORM_BYTES) return 'too-large';
  allowBody(request.raw, reply.raw);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A loop over the stream would destroy it where it ends early, and the connection with it.
  return await new Promise((resolve, reject) => {
    request.raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_FORM_BYTES) chunks.push(chunk);
      else resolve('too-large');
    });
    request.raw.once('end', () => resolve(new URLSearchParams(Buffer.concat(chunks).toString())));
    request.raw.once('error', reject);
    request.raw.once('close', () => resolve('no-form'));
  });
}
