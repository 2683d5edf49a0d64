/** Last part of the locale key `errors.sso.<told>`, the message shown after a failed sign-in. */
type Told =
  | "unknown_provider"
  | "down"
  | "denied"
  | "refused"
  | "untrusted"
  | "expired"
  | "incomplete"
  | "unverified";

/** A failed sign-in through a provider. `why` is for the log and contains no secrets. */
export class SignInFailure extends Error {
  override name = "SignInFailure";
  constructor(readonly told: Told, readonly why: string, options?: ErrorOptions) {
    super(`${told}: ${why}`, options);
  }
}

/**
 * Runs one step of a sign-in. A failure names the step, and the fields of the provider's settings
 * to check unless it already names some.
 */
export async function providerStep<T>(
  name: string,
  fields: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const see = error.why.includes("; see ") ? "" : `; see ${fields}`;
    throw new SignInFailure(error.told, `${name}: ${error.why}${see}`, { cause: error });
  }
}
