export interface BoundaryCounter {
  push(chunk: Buffer): void;
  readonly count: number;
}

/**
 * Counts the delimiters of a multipart body as it streams by. The parser passes over parts that it cannot name (no
 * Content-Disposition) without a word; the count tells that there were more parts than it reported.
 */
export function createBoundaryCounter(boundary: string): BoundaryCounter {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first delimiter may stand at the very beginning.
  let tail: Buffer = Buffer.from('\r\n');
  let count = 0;
  return {
    push: (chunk) => {
      // A delimiter that lies across two chunks is looked for in their seam, the others in the chunk itself.
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
