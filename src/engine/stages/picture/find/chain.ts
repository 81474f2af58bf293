/**
 * Chains items that come from the left, each to the first open chain whose last item it follows; an item that follows none begins
 * a chain. A chain is closed by the first item out of reach of its last one.
 */
export function chainFromLeft<Item>(
  items: readonly Item[],
  isInReach: (last: Item, item: Item) => boolean,
  follows: (last: Item, item: Item) => boolean,
): Item[][] {
  const chains: Item[][] = [];
  let open: { chain: Item[]; last: Item }[] = [];
  for (const item of items) {
    open = open.filter(({ last }) => isInReach(last, item));
    const known = open.find(({ last }) => follows(last, item));
    if (known === undefined) {
      const chain = [item];
      chains.push(chain);
      open.push({ chain, last: item });
    } else {
      known.chain.push(item);
      known.last = item;
    }
  }
  return chains;
}
