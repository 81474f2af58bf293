import { OcrError } from '../../contract/ocr-error.js';

const MAX_LENGTH = 200;

/** Returns the trimmed name of an organisation or a key. @throws OcrError USAGE, with a message that begins with `whose` */
export function checkName(text: string, whose: string, { mayBeEmpty = false } = {}): string {
  const name = text.trim();
  const isLongEnough = mayBeEmpty || name !== '';
  if (isLongEnough && name.length <= MAX_LENGTH && !/\p{Cc}/u.test(name)) return name;
  const length = mayBeEmpty ? `at most ${MAX_LENGTH}` : `1 to ${MAX_LENGTH}`;
  throw new OcrError('USAGE', `${whose} name must have ${length} characters, on one line`);
}
