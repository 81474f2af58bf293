export type DocumentErrorReason =
  | 'unsupported-type' // the bytes are of no type that the engine reads
  | 'encrypted' // a password is needed
  | 'wrong-password'
  | 'damaged' // cannot be read, or only by guessing
  | 'timeout' // no page was done within its time limit; on a machine with less to do, one may be
  | 'no-pages'
  | 'too-large' // more pixels than the limit
  | 'invalid-argument'; // e.g. a page out of range, a language that is not installed; `pointer` names the argument

/** A document that cannot be read, and why, in words for the person who sent it. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly reason: DocumentErrorReason;
  /** JSON pointer of the argument, with `invalid-argument`: `/pages`. */
  readonly pointer: string | undefined;

  constructor(reason: DocumentErrorReason, message: string, options: { pointer?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.pointer = options.pointer;
  }
}
