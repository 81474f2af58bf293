import type { Raster } from './raster.js';

/** Netpbm's grey map: a line of text before the bytes, nothing to compress. */
export function toPgm({ data, width, height }: Raster): Buffer {
  return Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`, 'latin1'), data]);
}
