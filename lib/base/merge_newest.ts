/** Merges sources that each give their newest first; no more of them is read than is taken. */
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
