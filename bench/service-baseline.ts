// The cost of receiving a document without any service around it: a bare node:http server that hashes the body and drops it.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  const hash = createHash('sha256');
  request.on('data', (chunk: Buffer) => hash.update(chunk));
  request.on('end', () => response.end(JSON.stringify({ sha256: hash.digest('hex') })));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
