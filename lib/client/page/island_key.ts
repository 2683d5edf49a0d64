/**
 * Returns the value of an island's `data-island`: a short text for what the island shows. A merge
 * keeps an island only if this text stays the same. FNV-1a is enough, because a person sees only
 * few values of one island.
 */
export function islandKey(shows: unknown): string {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify(shows)) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
