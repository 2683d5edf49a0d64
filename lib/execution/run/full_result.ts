/** A part that was shortened: its position, and how many characters or members it had. */
export interface ShortenedPart {
  path: (string | number)[];
  length: number;
}

/** The answer of a module, or the facts of a host, as JSON values, masked and bounded. */
export interface FullResult {
  value: Record<string, unknown>;
  shortened: ShortenedPart[];
}
