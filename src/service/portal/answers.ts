import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** An answer of a page, before the headers that every answer has. */
export interface PortalAnswer {
  status: number;
  /** A stream is sent as it comes. */
  body: string | Buffer | AsyncIterable<string>;
  headers?: Record<string, string | string[]>;
}

const HTML_TYPE = 'text/html; charset=utf-8';

/** Renders a whole page. */
export function answerPage(page: VNode, status = 200): PortalAnswer {
  return { status, body: `<!doctype html>${renderToString(page)}`, headers: { 'content-type': HTML_TYPE } };
}

/** Sends the browser on by GET, after a change: a reload then repeats nothing. */
export function answerRedirect(location: string, headers: Record<string, string | string[]> = {}): PortalAnswer {
  return { status: 303, body: '', headers: { location, ...headers } };
}

/** Thrown where there is nothing of this id for this person, and where it belongs to another organisation. */
export class PortalNotFound extends Error {
  override readonly name = 'PortalNotFound';
}
