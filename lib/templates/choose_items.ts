interface Sent<Item> {
  list?: Item[] | null;
  /** Null for no item, undefined if it was not sent. */
  first: Item | null | undefined;
}

/**
 * Chooses the list that a client means. Newer clients send the whole list, and older ones only the
 * first item. Clients that send back an answer send both. Then the one that differs from the stored
 * list was changed, or the list if both differ. An older client never removes items that it cannot
 * see.
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
