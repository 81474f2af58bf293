import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What waits for the end of the calls on each connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `end` once, when the answer is out or its connection is gone. Where a caller has sent several calls ahead and goes
 * away, Node tells only the answer that was being sent.
 */
export function whenClosed({ socket }: IncomingMessage, response: ServerResponse, end: () => void): void {
  const calls = waiting.get(socket) ?? watch(socket);
  const close = () => {
    if (calls.delete(close)) end();
  };
  calls.add(close);
  response.once('close', close);
}

function watch(socket: Socket): Set<() => void> {
  const calls = new Set<() => void>();
  waiting.set(socket, calls);
  socket.once('close', () => {
    for (const close of calls) close();
  });
  return calls;
}
