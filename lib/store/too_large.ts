/**
 * Whether the store has refused a value, a key or a commit because of its size. Another attempt
 * would be refused as well.
 */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof TypeError && /too large/i.test(error.message);
