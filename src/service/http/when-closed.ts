import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Functions to call at the end of each connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `end` once, when the answer is sent or its connection is gone. When a caller with several pipelined calls goes away,
 * Node only notifies the answer that was being sent.
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
