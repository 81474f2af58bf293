import type { Metadata } from 'sharp';
import type { DocumentWarning } from '../../model/document.js';
import { DocumentError } from '../../model/document-error.js';
import { selectPages } from '../../select-pages.js';
import { hasPages } from '../../sniff.js';
import { readBmpHeader } from '../../stages/picture/decode/bmp.js';
import { readImageHeader } from '../../stages/picture/decode/image-header.js';
import { cutTiffFrame } from '../../stages/picture/decode/tiff-frame.js';
import type { ImageFacts, InspectionOptions, PageInspection } from './inspection.js';

/** Degrees, clockwise, by which a picture is turned for display, by orientation of EXIF, 1-8. */
const TURNS = [0, 0, 0, 180, 180, 90, 90, 270, 270];
const BITS: Readonly<Record<string, number>> = {
  uchar: 8,
  char: 8,
  ushort: 16,
  short: 16,
  uint: 32,
  int: 32,
  float: 32,
  double: 64,
};

/** Inspects a picture by its headers alone: no pixel is decoded. Throws DocumentError: damaged, too-large, no-pages, invalid-argument. */
export async function inspectImage(
  path: string,
  mimeType: string,
  options: InspectionOptions,
): Promise<{ pageCount: number; pages: PageInspection[]; image: ImageFacts; warnings: DocumentWarning[] }> {
  const { pageCount } = await readImageHeader(path, mimeType, options.maxPixels);
  if (pageCount < 1) throw new DocumentError('no-pages', 'the image has no pages');
  const numbers = selectPages(options.pages, pageCount);
  const pages: PageInspection[] = [];
  const warnings: DocumentWarning[] = [];
  let image: ImageFacts | undefined;
  for (const number of numbers) {
    try {
      // Only the first frame has to tell the number of frames.
      const frame = image !== undefined && mimeType === 'image/tiff' ? cutTiffFrame(path, number - 1) : undefined;
      const { facts, ...size } = await readHeader(path, mimeType, number, frame);
      image ??= facts;
      pages.push(describePage(number, size));
    } catch {
      warnings.push({ page: number, message: 'the page is damaged' });
    }
    options.onProgress?.(pages.length + warnings.length, numbers.length);
  }
  if (image === undefined) throw new DocumentError('damaged', 'no page of the image can be read');
  return { pageCount, pages, image, warnings };
}

interface Size {
  width: number;
  height: number;
  rotation: number;
}

async function readHeader(
  path: string,
  mimeType: string,
  number: number,
  frame: Buffer | undefined,
): Promise<Size & { facts: ImageFacts }> {
  if (mimeType === 'image/bmp') {
    const { width, height, bitsPerPixel } = await readBmpHeader(path);
    const color = bitsPerPixel === 1 ? { channels: 1, bitsPerChannel: 1 } : { channels: 3, bitsPerChannel: 8 };
    const facts = { format: 'bmp', frames: 1, dpi: null, colorSpace: 'srgb', ...color, hasAlpha: false };
    return { width, height, rotation: 0, facts };
  }
  const { default: sharp } = await import('sharp');
  const page = hasPages(mimeType) && frame === undefined ? { page: number - 1 } : {};
  const metadata = await sharp(frame ?? path, { limitInputPixels: false, failOn: 'none', ...page }).metadata();
  const rotation = TURNS[metadata.orientation ?? 1] ?? 0;
  const { width, height } = metadata;
  const upright = rotation % 180 === 0;
  return {
    width: upright ? width : height,
    height: upright ? height : width,
    rotation,
    facts: describeImage(metadata),
  };
}

function describeImage(metadata: Metadata): ImageFacts {
  return {
    format: metadata.format,
    frames: metadata.pages ?? 1,
    dpi: readResolution(metadata),
    colorSpace: metadata.space,
    channels: metadata.channels,
    bitsPerChannel: metadata.bitsPerSample ?? BITS[metadata.depth] ?? 8,
    hasAlpha: metadata.hasAlpha,
  };
}

/** Density, without a unit, of a picture that does not know its resolution. */
const ASSUMED_DPI = 72;

/** A density of 72 without a unit counts as unknown, which it most often is. */
function readResolution({ density, resolutionUnit }: Metadata): number | null {
  return density === undefined || (density === ASSUMED_DPI && resolutionUnit === undefined) ? null : density;
}

function describePage(number: number, { width, height, rotation }: Size): PageInspection {
  return {
    page: number,
    width,
    height,
    unit: 'pixel',
    rotation,
    textLayer: { verdict: 'absent', reasons: ['an image has no text layer'] },
    words: 0,
    imageCoverage: 1,
    needsOcr: true,
  };
}
