/** A part that was shortened: where it is, and how many characters or members it had. */
export interface ShortenedPart {
  path: (string | number)[];
  length: number;
}

/** The answer of a module, or the facts of a host: values of JSON, masked and bounded. */
export interface FullResult {
  value: Record<string, unknown>;
  shortened: ShortenedPart[];
}
