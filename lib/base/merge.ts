import { createBell } from "./bell.ts";

interface MergeOptions<T> {
  /** Yielded whenever nothing else has arrived for `afterMs` milliseconds. */
  idle?: { value: T; afterMs: number };
  /**
   * Called first when merging ends, so that generators that wait for something can be cancelled.
   */
  atEnd?(): void;
}

/**
 * Yields the values of several generators as they arrive. Ends when all have ended or one fails. At
 * most one value of each generator is buffered, so a slow reader slows them down.
 */
export async function* merge<T>(
  sources: AsyncGenerator<T>[],
  { idle, atEnd = () => {} }: MergeOptions<T> = {},
): AsyncGenerator<T> {
  const bell = createBell();
  const arrived: { source: AsyncGenerator<T>; result: IteratorResult<T> }[] = [];
  const failures: unknown[] = [];
  const advance = (source: AsyncGenerator<T>) => {
    source.next().then((result) => {
      arrived.push({ source, result });
      bell.ring();
    }, (error) => {
      failures.push(error);
      bell.ring();
    });
  };
  sources.forEach(advance);
  try {
    for (let open = sources.length; open > 0;) {
      if (!await bell.wait(idle?.afterMs)) yield idle!.value;
      if (failures.length > 0) throw failures[0];
      for (const { source, result } of arrived.splice(0)) {
        if (result.done) {
          open--;
          continue;
        }
        advance(source);
        yield result.value;
      }
    }
  } finally {
    atEnd();
    await Promise.all(sources.map((source) => source.return(undefined)));
  }
}

/**
 * Merges sources that each yield their newest value first. Reads each source only as far as needed.
 */
export async function* mergeNewest<T>(
  sources: readonly AsyncIterator<T>[],
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

async function nextOf<T>(source: AsyncIterator<T>): Promise<{ value: T } | null> {
  const { done, value } = await source.next();
  return done ? null : { value };
}
