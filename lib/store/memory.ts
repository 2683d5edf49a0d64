/** State of a process beside the rows of its store, in parts that their rooms name. */
export interface Memory {
  readonly parts: Map<MemoryPart<unknown>, unknown>;
}

/** A part of the memory of each store of this process. */
interface MemoryPart<T> {
  readonly name: string;
  /** Returns the part of this store, which is created once. */
  of(store: { memory: Memory }): T;
}

export const createMemory = (): Memory => ({ parts: new Map() });

/**
 * Names a part of the memory. State that requests share lives in such parts and nowhere else, so
 * that servers in one process do not share it, and that it ends with the server.
 */
export function memoryPart<T>(name: string, create: () => T): MemoryPart<T> {
  const part: MemoryPart<T> = {
    name,
    of({ memory: { parts } }) {
      if (!parts.has(part)) parts.set(part, create());
      return parts.get(part) as T;
    },
  };
  return part;
}
