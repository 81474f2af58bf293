import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { OcrError } from '../../contract/ocr-error.js';
import type { ServiceConfig } from '../config/service-config.js';

/** Returns the URL at which the server is reached. @throws OcrError PORT_TAKEN */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<ServiceConfig, 'host' | 'port'>,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OcrError('PORT_TAKEN', `Cannot listen on ${host}:${port}: ${describeListenError(code) ?? message}`, {
      hint: isAddressMissing(code)
        ? 'Choose an address of this machine: ocr serve --host 127.0.0.1, or 0.0.0.0 for all of them'
        : 'Choose another port: ocr serve --port 0 takes a free one',
      cause: error,
    });
  }
  const { address, port: taken, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

/** Returns the URL for programs on this machine: not every system can connect to "every address". */
export function fromThisMachine(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function describeListenError(code: string | undefined): string | undefined {
  if (code === 'EADDRINUSE') return 'another program listens there';
  if (code === 'EACCES') return 'not allowed';
  return isAddressMissing(code) ? 'no such address on this machine' : undefined;
}

function isAddressMissing(code: string | undefined): boolean {
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
}
