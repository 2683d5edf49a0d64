/** Yields the items in arrays of `count`; the last one may have fewer. */
export async function* inGroups<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    if (group.push(item) < count) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
