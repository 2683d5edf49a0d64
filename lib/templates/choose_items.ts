interface Sent<Item> {
  list?: Item[] | null;
  /** Null for none; undefined when it was not sent. */
  first: Item | null | undefined;
}

/**
 * The list that a client means. Newer ones send all of it, older ones know the first item only, and
 * those that send back what they were answered send both: then the one that differs from what is
 * stored was changed; the list if both do. An older client never takes away what it cannot see.
 */
export function chooseItems<Item>(
  { list, first }: Sent<Item>,
  stored: Item[],
  isSame: (a: Item, b: Item) => boolean,
): Item[] {
  const isSameList = (a: Item[], b: Item[]) =>
    a.length === b.length && a.every((item, n) => isSame(item, b[n]));
  const isChanged = first !== undefined &&
    !isSameList(first === null ? [] : [first], stored.slice(0, 1));
  if (list && (!isChanged || !isSameList(list, stored))) return list;
  if (first === undefined) return [];
  return first === null ? stored.slice(1) : [first, ...stored.slice(1)];
}
