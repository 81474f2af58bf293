import { type Area, areLevel, boundsOf, gapBetween } from '../../model/geometry.js';

/** Share of their height that two parts of one row have in common. */
const MIN_COMMON_HEIGHT_SHARE = 0.5;

/** Letters, or other parts of a row, that follow each other. */
export interface Chain<Part extends Area> extends Area {
  parts: Part[];
}

/** True when two parts are level with each other and less than `gap` apart. */
export const isBeside = (a: Area, b: Area, gap: number): boolean =>
  gapBetween(a, b) < gap && areLevel(a, b, MIN_COMMON_HEIGHT_SHARE);

/** Chains parts that stand beside each other. */
export function chainLetters<Part extends Area>(parts: readonly Part[], gap: number): Chain<Part>[] {
  const chains: Chain<Part>[] = [];
  // From left to right, so that chains which end too far before a part are finished: a page may have thousands.
  let open: Chain<Part>[] = [];
  for (const part of [...parts].sort((a, b) => a.x0 - b.x0)) {
    open = open.filter(({ x1 }) => part.x0 - x1 < gap);
    const known = open.find((chain) => isBeside(chain, part, gap));
    if (known === undefined) {
      const chain = { ...boundsOf([part]), parts: [part] };
      chains.push(chain);
      open.push(chain);
    } else {
      Object.assign(known, boundsOf([known, part]));
      known.parts.push(part);
    }
  }
  return chains;
}
