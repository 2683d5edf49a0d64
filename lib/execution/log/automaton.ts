/**
 * Finds many texts in one pass, with the algorithm of Aho and Corasick. It is a tree of the texts'
 * beginnings. Each state knows the longest of its own ends that is also the beginning of a text.
 * Reading a unit takes one or two steps, however much the texts repeat themselves and each other.
 *
 * States are numbered in the order of the sorted texts, so a state's first child is the next
 * number, and 0 is the root. One state takes 18 bytes.
 */
export interface Automaton {
  /** The unit that leads from a state's parent to it. */
  units: Uint16Array;
  /** The next child of the same parent, or 0. */
  siblings: Int32Array;
  /** Units from the root to a state. */
  depths: Int32Array;
  /** The state of the longest end that is also a beginning. */
  fallbacks: Int32Array;
  /** Units of the longest text that ends at a state, or 0. */
  matches: Int32Array;
  /** The root's children by their units. */
  roots: Map<number, number>;
  /** Whether a text may begin with three units, by their hash. One test passes most positions. */
  begins: Uint8Array;
}

const HASH_BITS = 5;
const HASH_MASK = (1 << 3 * HASH_BITS) - 1;
/** Returns the hash of the last three units, from the hash before and the latest unit. */
const hashOn = (hash: number, unit: number) => ((hash << HASH_BITS) ^ unit) & HASH_MASK;

/** Creates the automaton of texts that have at least three units each. */
export function automatonOf(texts: Iterable<string>): Automaton {
  const sorted = [...new Set(texts)].sort();
  const shared = sorted.map((text, n) => commonLength(text, sorted[n - 1] ?? ""));
  // One more than there are states, so that code may look at the state after the last one.
  const size = sorted.reduce((sum, text, n) => sum + text.length - shared[n], 2);
  const automaton: Automaton = {
    units: new Uint16Array(size),
    siblings: new Int32Array(size),
    depths: new Int32Array(size),
    fallbacks: new Int32Array(size),
    matches: new Int32Array(size),
    roots: new Map(),
    begins: new Uint8Array(HASH_MASK + 1),
  };
  plant(automaton, sorted, shared);
  linkFallbacks(automaton);
  return automaton;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** Creates the tree. `shared` is how many units each text has in common with the one before. */
function plant(automaton: Automaton, sorted: string[], shared: number[]) {
  const { units, siblings, depths, matches, roots, begins } = automaton;
  /** The states of the previous text, by depth. */
  const path = [0];
  let last = 0;
  for (const [n, text] of sorted.entries()) {
    for (let depth = shared[n]; depth < text.length; depth++) {
      const state = ++last;
      units[state] = text.charCodeAt(depth);
      depths[state] = depth + 1;
      if (depth === 0) roots.set(units[state], state);
      else if (depth === shared[n] && path.length > depth + 1) siblings[path[depth + 1]] = state;
      path[depth + 1] = state;
    }
    // The remaining states of a longer text before are not children of this text's states.
    path.length = text.length + 1;
    matches[path[text.length]] = text.length;
    let hash = 0;
    for (let at = 0; at < 3; at++) hash = hashOn(hash, text.charCodeAt(at));
    begins[hash] = 1;
  }
}

/** Goes level by level, because a fallback is nearer to the root than its state. */
function linkFallbacks(automaton: Automaton) {
  const { units, siblings, fallbacks, matches, roots } = automaton;
  const queue = new Int32Array(units.length);
  let end = 0;
  for (const state of roots.values()) queue[end++] = state;
  for (let at = 0; at < end; at++) {
    const parent = queue[at];
    for (let state = firstChild(automaton, parent); state !== 0; state = siblings[state]) {
      const fallback = stepFrom(automaton, fallbacks[parent], units[state]);
      fallbacks[state] = fallback;
      matches[state] ||= matches[fallback];
      queue[end++] = state;
    }
  }
}

/** Returns the first child of a state, or 0 if it has none. */
export const firstChild = ({ depths }: Automaton, state: number): number =>
  depths[state + 1] > depths[state] ? state + 1 : 0;

/** Returns the state after `unit` was read in `state`. */
export function stepFrom(automaton: Automaton, state: number, unit: number): number {
  const { units, siblings, fallbacks, roots } = automaton;
  for (let from = state; from !== 0; from = fallbacks[from]) {
    for (let child = firstChild(automaton, from); child !== 0; child = siblings[child]) {
      if (units[child] === unit) return child;
    }
  }
  return roots.get(unit) ?? 0;
}

/**
 * Returns the first position at or after `from` where a text may begin in `read`. Its last two
 * units always count as such.
 */
export function mayStartSecret({ begins }: Automaton, read: string, from: number): number {
  const last = read.length - 2;
  if (from >= last) return from;
  let hash = hashOn(read.charCodeAt(from), read.charCodeAt(from + 1));
  for (let at = from; at < last; at++) {
    hash = hashOn(hash, read.charCodeAt(at + 2));
    if (begins[hash]) return at;
  }
  return last;
}
