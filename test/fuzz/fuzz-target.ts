/** A parser of bytes that strangers send. */
export interface FuzzTarget {
  name: string;
  /** Well-formed inputs, which are changed. */
  seeds(): Promise<readonly Uint8Array[]> | readonly Uint8Array[];
  /** Inputs too large to be kept or changed, on which a parser that looks at the same bytes again and again does not end. */
  hostile?(): readonly Uint8Array[];
  /** Words of the format; they are inserted and repeated. */
  tokens: readonly string[];
  /** Runs of `npm run test:long`, a few seconds each target. */
  runs: number;
  /** Parses the input and checks what it became. Throws for anything but the errors that the parser may throw. */
  run(bytes: Uint8Array): void | Promise<void>;
  /** Stops the processes and servers that `run` started. */
  close?(): Promise<void>;
}

/** Returns the result of `work`; undefined for an error that `isExpected`. */
export async function tolerate<T>(
  isExpected: (error: unknown) => boolean,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** Throws when a promise of the parser does not hold. */
export function promise(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken: ${what}`);
}
