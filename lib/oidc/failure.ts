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

/**
 * Carries out one step of a sign-in. A failure of it names the step, and the fields of the provider's
 * settings to look at where it names none itself.
 */
export async function step<T>(name: string, fields: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const see = error.why.includes("; see ") ? "" : `; see ${fields}`;
    throw new SignInFailure(error.told, `${name}: ${error.why}${see}`, { cause: error });
  }
}
