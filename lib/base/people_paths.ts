const nextPart = (next?: string) => next ? `?next=${encodeURIComponent(next)}` : "";

/** Paths of signing in, of accounts and of their administration. They are a part of `paths`. */
export const peoplePaths = {
  signIn: (next?: string) => "/auth/login" + nextPart(next),
  /** Second step of signing in. */
  signInCode: (next = "/") => `/auth/code${next === "/" ? "" : nextPart(next)}`,
  signInPasskey: (part = "") => `/auth/passkey${part}`,
  signOut: () => "/auth/logout",
  /** Signs in once. The operator creates the link for one user. */
  signInLink: (token: string) => `/auth/link/${token}`,
  users: () => "/users",
  /** People of providers who wait for an administrator's approval. */
  waitingPeople: () => "/users/waiting",
  groupRules: () => "/users/rules",
  user: (userId: number | "new") => `/users/${userId}`,
  account: () => "/account",
  accountPassword: () => "/account/password",
  shortcuts: () => "/account/shortcuts",
  accountTimezone: () => "/account/timezone",
  /** Second factor of the account; `next` is the page to open once it is set up. */
  secondFactor: (next?: string) => "/account/second_factor" + nextPart(next),
  changeSecondFactor: (how: "recovery_codes" | "remove") => `/account/second_factor/${how}`,
  passkeys: (part: "" | "/options" | "/remove" = "") => `/account/passkeys${part}`,
  accountBrowsers: () => "/account/browsers",
  /** Providers that the account is linked with. */
  accountLinks: (part: "" | "/remove" = "") => `/account/links${part}`,
  accountDirectory: () => "/account/directory",
  accountSessions: () => "/account/sessions",
  accountTokens: () => "/account/tokens",
  revokeAccountTokens: () => "/account/tokens/revoke",
  userSessions: (userId: number) => `/users/${userId}/sessions`,
  userPasskeys: (userId: number) => `/users/${userId}/passkeys`,
  userSecondFactor: (userId: number) => `/users/${userId}/second_factor`,
  userTokens: (userId: number) => `/users/${userId}/tokens`,
};
