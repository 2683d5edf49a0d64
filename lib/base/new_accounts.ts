/** Actions for a person who was verified by a provider and has no account on this server yet. */
export const NEW_ACCOUNTS = ["create", "ask", "refuse"] as const;
export type NewAccounts = (typeof NEW_ACCOUNTS)[number];
