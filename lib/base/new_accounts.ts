/** What becomes of somebody whom a provider has proved, and whom this server does not know yet. */
export const NEW_ACCOUNTS = ["create", "ask", "refuse"] as const;
export type NewAccounts = (typeof NEW_ACCOUNTS)[number];
