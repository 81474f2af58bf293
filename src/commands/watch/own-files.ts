import { existsSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { isHiddenName } from '../../io/input/walk-directory.js';
import { isWithin } from './watched-directory.js';

/** Ends of results beside their document, of any format: `photo.jpg.pdf`. A document without an extension has no such name. */
const RESULT = /^(.+\.\w+?)(?:\.[a-z]+-\d+)?\.(?:txt|md|json|csv|pdf)$/;

export interface OwnFilesOptions {
  /** Names from the command line. */
  directories: readonly string[];
  outputDir: string;
  extension: string;
  part: string | undefined;
}

/**
 * Returns what says of a path below a watched directory that it is left out: hidden files, which programs write for
 * themselves (rsync its half of a file), and our own results, which would be read again and again.
 */
export function createIgnore({ directories, outputDir, extension, part }: OwnFilesOptions): (path: string) => boolean {
  const output = resolve(outputDir);
  const roots = directories.map((directory) => resolve(directory));
  // A directory that holds results alone is left out whole; elsewhere a result is known by its document.
  const isApart = !roots.some((root) => isWithin(output, root));
  const number = part === undefined ? '' : `(?:\\.${part}-\\d+)?`;
  const end = new RegExp(`${number}${extension.replaceAll('.', '\\.')}$`);
  /** True for a result of any command that wrote it beside its document. */
  function isBesideDocument(path: string): boolean {
    const [, document] = RESULT.exec(path) ?? [];
    return document !== undefined && existsSync(document);
  }
  function isResult(path: string): boolean {
    if (isBesideDocument(path)) return true;
    if (!isWithin(output, path)) return false;
    if (isApart) return true;
    const document = relative(output, path).replace(end, '');
    return document !== relative(output, path) && roots.some((root) => existsSync(join(root, document)));
  }
  return (path) => {
    const whole = resolve(path);
    const root = roots.find((found) => isWithin(found, whole)) ?? '';
    const isHidden = relative(root, whole)
      .split(sep)
      .some((name) => isHiddenName(name) && name !== '..');
    return isHidden || isHiddenName(basename(whole)) || isResult(whole);
  };
}
