/** What a person is told of a sign-in that failed: last part of the locale key `errors.sso.<told>`. */
type Told =
  | "unknown_provider"
  | "down"
  | "denied"
  | "refused"
  | "untrusted"
  | "expired"
  | "incomplete"
  | "unverified";

/** A sign-in by a provider that failed; `why` is for the log, and holds nothing secret. */
export class SignInFailure extends Error {
  override name = "SignInFailure";
  constructor(readonly told: Told, readonly why: string, options?: ErrorOptions) {
    super(`${told}: ${why}`, options);
  }
}
