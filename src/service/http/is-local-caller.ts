import type { FastifyRequest } from 'fastify';

/** Headers that a proxy adds: its own address says nothing about the caller. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** Whether the caller is on this machine, and speaks for itself. */
export function isLocalCaller({ raw }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress;
  if (address === undefined || FORWARDED.some((name) => raw.headers[name] !== undefined)) return false;
  return /^(?:::ffff:)?127\./.test(address) || address === '::1';
}
