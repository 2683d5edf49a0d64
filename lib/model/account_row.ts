/** Events of one's own tasks that people can get mails about. */
export const OWN_EVENTS = ["failed", "succeeded", "waiting"] as const;
export type OwnEvent = (typeof OWN_EVENTS)[number];

export interface UserRow {
  id: number;
  created: string;
  username: string;
  name: string;
  email: string;
  admin: boolean;
  /** Whether they sign in only through a provider, and have no password here. */
  external: boolean;
  /** Whether they want e-mails about failed tasks. */
  alert: boolean;
  /** Events of their own tasks that they want e-mails about. */
  notify_own: OwnEvent[];
  /**
   * Argon2id hash in its usual encoding, or a bcrypt hash from another server. Null if there is no
   * password to sign in with.
   */
  password: string | null;
  /** Whether a code is required after the password; missing if none ever was. */
  second_factor?: boolean;
  /** Time zone as in `timezoneForm`; missing without a choice. */
  timezone?: string;
  /** Language chosen in the language menu; missing without a choice. */
  language?: string;
}
