export interface BoundaryCounter {
  push(chunk: Buffer): void;
  readonly count: number;
}

/**
 * Counts the delimiters of a multipart body while it streams. The parser silently skips parts without a name (no
 * Content-Disposition); the count reveals them.
 */
export function createBoundaryCounter(boundary: string): BoundaryCounter {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first delimiter may start the body, without a line break before it.
  let tail: Buffer = Buffer.from('\r\n');
  let count = 0;
  return {
    push: (chunk) => {
      // The seam of two chunks finds delimiters that lie across both; the chunk itself finds the others.
      const seam = Buffer.concat([tail, chunk.subarray(0, delimiter.length - 1)]);
      count += countIn(seam, delimiter) + countIn(chunk, delimiter);
      tail = Buffer.concat([tail, chunk.subarray(-(delimiter.length - 1))]).subarray(-(delimiter.length - 1));
    },
    get count() {
      return count;
    },
  };
}

function countIn(bytes: Buffer, delimiter: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) count++;
  return count;
}
