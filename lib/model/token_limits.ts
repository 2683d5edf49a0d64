/** Scopes of tokens: the kinds of calls that one may be allowed to send. */
export const TOKEN_SCOPES = ["read", "run", "manage", "admin"] as const;
export type TokenScope = typeof TOKEN_SCOPES[number];

/** Limits of a token. Null stands for everything that its owner may do. */
export interface TokenLimits {
  scopes: readonly TokenScope[] | null;
  project_ids: readonly number[] | null;
  template_ids: readonly number[] | null;
  /** Addresses and networks that it may come from, as `canonicalNetwork` writes them. */
  networks: readonly string[] | null;
}
