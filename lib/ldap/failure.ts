/**
 * Last part of the locale key `errors.directory.<reason>`, the message for the person who wants to
 * sign in. A locked account is reported as a wrong password.
 */
type Reason =
  | "away"
  | "misconfigured"
  | "ambiguous"
  | "disabled"
  | "expired"
  | "password_expired"
  | "must_change"
  | "locked";

/** A directory that did not let someone in. `why` is for the log and names the settings. */
export class DirectoryFailure extends Error {
  override name = "DirectoryFailure";
  constructor(
    readonly reason: Reason,
    readonly why: string,
    /** DN of the entry, if one was found. */
    readonly person?: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}: ${why}`, options);
  }
}

/**
 * Reasons of Active Directory for a refused bind, by the number after "data". All but the last are
 * given only after the correct password (Microsoft, "LDAP wireshark and bind error codes"), so they
 * may be shown. A locked account is refused before its password is checked.
 */
const REFUSALS: Record<string, [Reason, why: string]> = {
  "532": ["password_expired", "the password has expired"],
  "533": ["disabled", "the account is disabled"],
  "701": ["expired", "the account has expired"],
  "773": ["must_change", "the password must be changed first"],
  "775": ["locked", "the account is locked"],
};

/**
 * Returns the directory's reason to refuse a password other than a wrong one; null if it gives
 * none.
 */
export function refusalOf(message: string, person: string): DirectoryFailure | null {
  const number = /AcceptSecurityContext error, data (\w{1,8})/.exec(message)?.[1] ?? "";
  const known = Object.hasOwn(REFUSALS, number) && REFUSALS[number];
  return known && new DirectoryFailure(known[0], `${known[1]} (data ${number})`, person) || null;
}
