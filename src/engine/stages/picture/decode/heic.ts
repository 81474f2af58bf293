import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DocumentError } from '../../../model/document-error.js';

/** Pixels of one picture of a HEIC file, upright: the file's own turns and crops are done. */
export interface HeicPixels {
  /** RGBA, four bytes each, from the top left. */
  data: Buffer;
  width: number;
  height: number;
}

/** The parts of libheif (WebAssembly) that are used here. */
interface LibHeif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

interface HeifImage {
  get_width(): number;
  get_height(): number;
  /** Calls back with null where the picture cannot be decoded. */
  display(target: HeicPixels, done: (result: HeicPixels | null) => void): void;
  free(): void;
}

/**
 * Decodes one picture of a HEIC file. The libvips that sharp ships reads the headers of such files, but has no decoder of HEVC
 * for patent reasons. libheif-js has one, as WebAssembly. The caller checks the size first. Each call has a memory of its own,
 * which ends with it.
 * Throws DocumentError `damaged`.
 */
export async function decodeHeic(path: string, page: number): Promise<HeicPixels> {
  const require = createRequire(import.meta.url);
  const create = require('libheif-js/libheif-wasm/libheif.js') as (options: object) => Promise<LibHeif>;
  const wasmBinary = await readFile(require.resolve('libheif-js/libheif-wasm/libheif.wasm'));
  // It would print every fault of a document.
  const library = await create({ wasmBinary, print: () => {}, printErr: () => {} });
  const images = new library.HeifDecoder().decode(await readFile(path));
  try {
    const image = images[page - 1];
    if (image === undefined) throw damaged();
    const [width, height] = [image.get_width(), image.get_height()];
    const target = { data: Buffer.alloc(width * height * 4), width, height };
    return await new Promise((resolve, reject) => {
      image.display(target, (result) => (result === null ? reject(damaged()) : resolve(target)));
    });
  } finally {
    for (const image of images) image.free();
  }
}

/** True for a file whose pictures are compressed with HEVC; `compression` is what libvips calls it. */
export function isHeic(compression: string | undefined): boolean {
  return compression === 'hevc';
}

function damaged(): DocumentError {
  return new DocumentError('damaged', 'the image is damaged: its pixels cannot be decoded');
}
