import { ResultCodeError } from "ldapts";
import { whyOf } from "../base/why.ts";

/**
 * The sentence for the person who wants to sign in: last part of `errors.directory.<told>`. A locked
 * account is told as a wrong password.
 */
type Told =
  | "away"
  | "misconfigured"
  | "ambiguous"
  | "disabled"
  | "expired"
  | "password_expired"
  | "must_change"
  | "locked";

/** A directory that did not let anyone in. `why` is for the log, and names the settings. */
export class DirectoryFailure extends Error {
  override name = "DirectoryFailure";
  constructor(
    readonly told: Told,
    readonly why: string,
    /** The DN of the entry that was found, where one was. */
    readonly person?: string,
    options?: ErrorOptions,
  ) {
    super(`${told}: ${why}`, options);
  }
}

/**
 * The reasons of Active Directory for a refused bind, by the number after "data". All but the last
 * come only after the right password (Microsoft, "LDAP wireshark and bind error codes"), so that
 * they may be told; a locked account is refused before its password is looked at.
 */
const REFUSALS: Record<string, [Told, why: string]> = {
  "532": ["password_expired", "the password has expired"],
  "533": ["disabled", "the account is disabled"],
  "701": ["expired", "the account has expired"],
  "773": ["must_change", "the password must be changed first"],
  "775": ["locked", "the account is locked"],
};

/** The reason that a directory gives for a refused password, beyond its being wrong; else null. */
export function refusalOf(message: string, person: string): DirectoryFailure | null {
  const number = /AcceptSecurityContext error, data (\w{1,8})/.exec(message)?.[1] ?? "";
  const known = Object.hasOwn(REFUSALS, number) && REFUSALS[number];
  return known && new DirectoryFailure(known[0], `${known[1]} (data ${number})`, person) || null;
}

/** Carries out one step of asking a directory; a failure of it names the settings to look at. */
export async function step<T>(name: string, settings: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DirectoryFailure) throw error;
    const { cause, text } = whyOf(error);
    // A server that answers is there: what it refuses are the settings.
    const told = error instanceof ResultCodeError ? "misconfigured" : "away";
    const named = cause === "untrusted" || cause === "expired"
      ? "CALLBOARD_LDAP_CA_FILE"
      : cause || told === "away"
      ? "CALLBOARD_LDAP_URL"
      : settings;
    throw new DirectoryFailure(told, `${name}: ${text}; see ${named}`, undefined, { cause: error });
  }
}
