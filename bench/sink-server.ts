// A server of the contract that drops what it is sent: what is measured is the client alone. Prints its port.
// Its first argument is how many milliseconds it takes to answer.
import { type AddressInfo, createServer, type Socket } from 'node:net';

const latencyMs = Number(process.argv[2] ?? 0);
const POSTED = { requestId: 'req_1', function: 'TEXT_EXTRACTION', result: { text: 'text' }, meta: {} };
const CATALOG = {
  functions: [{ id: 'TEXT_EXTRACTION', title: 'Text', acceptedTypes: ['application/pdf'], argsSchema: {} }],
};

const server = createServer((socket) => {
  let head = '';
  let left = -1;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    if (left >= 0) left -= chunk.length;
    else {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (/^expect: 100/im.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      left = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0) - (head.length - end - 4);
    }
    if (left > 0) return;
    const body = head.startsWith('POST') ? POSTED : CATALOG;
    head = '';
    left = -1;
    if (latencyMs === 0) answer(socket, body);
    else setTimeout(() => answer(socket, body), latencyMs);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

function answer(socket: Socket, body: object): void {
  const text = JSON.stringify(body);
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
}
