import type { ServiceConfig } from '../config/service-config.js';
import type { DocumentPool } from './pool.js';
import type { DrawnPage } from './protocol.js';

/** Bound on the sides of a picture, in pixels. */
const MAX_SIDE = 1_600;
/** Pages of a document that have pictures. */
export const MAX_RENDERED_PAGES = 10;

export interface PageToRender {
  organisationId: string;
  mimeType: string;
  /** Number of the page, from 1. */
  page: number;
  /** Clockwise turn that the result says of the page; boxes of a result lie on the page so turned. */
  rotation: number;
  password?: string;
  format: 'jpeg' | 'png';
  /** Puts the document into the directory of its process; returns its path. */
  handOver(directory: string): Promise<string>;
}

export interface RenderedPage {
  width: number;
  height: number;
  bytes: Buffer;
}

/**
 * Draws a page as it was read: turned as its Exif data and its result say, in the process of a document, under the limits of
 * one. Text that stands askew is not turned, since boxes are given on the page as it is seen. Returns the reason where it cannot.
 * @throws the error of `handOver`
 */
export async function renderPage(
  pool: Pick<DocumentPool, 'perform'>,
  config: Pick<ServiceConfig, 'documentTimeoutMs' | 'documentIdleTimeoutMs' | 'documentMemoryBytes' | 'maxPixels'>,
  { organisationId, mimeType, page, rotation, password, format, handOver }: PageToRender,
  signal?: AbortSignal,
): Promise<RenderedPage | { reason: string }> {
  if (!Number.isInteger(page) || page < 1 || page > MAX_RENDERED_PAGES)
    return { reason: `only the first ${MAX_RENDERED_PAGES} pages have pictures` };
  const limits = {
    timeoutMs: config.documentTimeoutMs,
    idleTimeoutMs: config.documentIdleTimeoutMs,
    memoryBytes: config.documentMemoryBytes,
    mayGiveWay: true,
  };
  const draw = () =>
    pool.perform(
      organisationId,
      async (directory) => ({
        type: 'draw-pages',
        path: await handOver(directory),
        mimeType,
        ...(password === undefined ? {} : { password }),
        pages: [{ number: page, rotation }],
        maxPixels: config.maxPixels,
        form: { format, maxWidth: MAX_SIDE, maxHeight: MAX_SIDE },
      }),
      limits,
      undefined,
      signal,
    );
  const first = await draw();
  // Its process gave way to a document, or none could be started: that passes, and browsers ask once.
  const outcome = first.type === 'unavailable' ? await draw() : first;
  if (outcome.type !== 'done') return { reason: 'message' in outcome ? firstLine(outcome.message) : outcome.type };
  const [drawn] = JSON.parse(outcome.body) as DrawnPage[];
  if (drawn === undefined) return { reason: 'the page is damaged' };
  return { width: drawn.width, height: drawn.height, bytes: Buffer.from(drawn.bytes, 'base64') };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
