import { AuthorizationResponseError } from "oauth4webapi";

/** Last part of the locale key `errors.sso.<reason>`, the message shown after a failed sign-in. */
type Reason =
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
  constructor(readonly reason: Reason, readonly why: string, options?: ErrorOptions) {
    super(`${reason}: ${why}`, options);
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
    throw new SignInFailure(error.reason, `${name}: ${error.why}${see}`, { cause: error });
  }
}

/** Runs a check of oauth4webapi or jose. Throws a failure if what a provider sent is wrong. */
export async function verify<T>(name: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    if (cause instanceof SignInFailure) throw cause;
    if (cause instanceof AuthorizationResponseError) {
      const reason = cause.error === "access_denied" ? "denied" : "refused";
      throw new SignInFailure(reason, `the provider answered ${cause.error.slice(0, 80)}`);
    }
    // Messages of both libraries name claims and fields, and contain no values.
    const { code, message } = cause as { code?: string; message: string };
    if (!/^(OAUTH_|ERR_J)/.test(code ?? "")) throw cause;
    throw new SignInFailure("untrusted", `${name}: ${code} ${message}`.slice(0, 300), { cause });
  }
}
