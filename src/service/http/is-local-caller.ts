import type { FastifyRequest } from 'fastify';

/** Headers that a proxy adds. Behind a proxy the peer address says nothing about the caller. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** True for the name or address of this machine, as URLs write it: all of 127/8, ::1 and localhost. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** True when the caller is on this machine and no proxy is in between. */
export function isLocalCaller({ raw }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress;
  if (address === undefined || FORWARDED.some((name) => raw.headers[name] !== undefined)) return false;
  return /^(?:::ffff:)?127\./.test(address) || address === '::1';
}
