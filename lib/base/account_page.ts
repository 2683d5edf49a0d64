/** A page of one's own account. */
export type AccountPage =
  | "profile"
  | "security"
  | "tokens"
  | "keys"
  | "notifications"
  | "appearance";
