/** True when version `a` is newer than `b` (Semantic Versioning 2.0, section 11; build metadata does not count). */
export function isNewerVersion(a: string, b: string): boolean {
  const [coreA, preA] = split(a);
  const [coreB, preB] = split(b);
  const byCore = compareLists(coreA, coreB);
  if (byCore !== 0) return byCore > 0;
  if (preA.length === 0 || preB.length === 0) return preA.length === 0 && preB.length > 0;
  return compareLists(preA, preB) > 0;
}

function split(version: string): [core: string[], prerelease: string[]] {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  return [core.split('.'), rest.length > 0 ? rest.join('-').split('.') : []];
}

function compareLists(a: string[], b: string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (left === right) continue;
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
    if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
