/**
 * Merges sources that each yield their newest value first. Reads each source only as far as needed.
 */
export async function* mergeNewest<T>(
  sources: readonly AsyncGenerator<T>[],
  isNewer: (one: T, than: T) => boolean,
): AsyncGenerator<T> {
  const heads = await Promise.all(sources.map(nextOf));
  while (true) {
    let newest = -1;
    for (const [index, head] of heads.entries()) {
      if (head && (newest < 0 || isNewer(head.value, heads[newest]!.value))) newest = index;
    }
    if (newest < 0) return;
    yield heads[newest]!.value;
    heads[newest] = await nextOf(sources[newest]);
  }
}

async function nextOf<T>(source: AsyncGenerator<T>): Promise<{ value: T } | null> {
  const { done, value } = await source.next();
  return done ? null : { value };
}
