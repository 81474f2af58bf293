import type { OutputForm } from './function.js';

/** Text as the service gave it. With `"format": "markdown"` its file is an `.md` (src/commands/extract/extract.ts). */
export const textOutput: OutputForm = {
  extension: '.txt',
  print(result) {
    const { text } = (result ?? {}) as { text?: unknown };
    return typeof text === 'string' ? text : undefined;
  },
};
