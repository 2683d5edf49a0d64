import { createRemoteJWKSet, customFetch, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { JWTPayload, JWTVerifyResult } from "jose";
import type { Clock } from "../base/clock.ts";
import { ask } from "./ask.ts";
import { SignInFailure, step } from "./failure.ts";
import type { ProviderSettings } from "./settings.ts";

/** Signed with a key that only the provider has: neither "none" nor a secret that we have, too. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
/** Keys that are not known are looked for at most so often: who makes tokens up makes no requests. */
const COOLDOWN_MS = 5_000;
/** By how much the clocks of a provider and of this server may differ, unless more is expected. */
const SKEW_SECONDS = 60;

/** Verifies what a provider has signed; gives its claims, or throws a failure. */
export interface KeySet {
  verify(token: string, expected: Expected): Promise<JWTVerifyResult>;
}

interface Expected {
  issuer: string;
  /** Claims that must be there. */
  required: string[];
  /** Since it was made, where that is limited beside its own expiry. */
  ageMaxSeconds?: number;
  skewSeconds?: number;
}

/** The keys at an address, asked for when a token is signed with one that is not known yet. */
export function keySet(
  url: string,
  { client_id, endpoint }: Pick<ProviderSettings, "client_id" | "endpoint">,
  ca: string | null,
  clock: Pick<Clock, "now">,
): KeySet {
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(url), {
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: async (url) => {
      const { status, text } = await step("keys", "endpoint", () => ask(url, { ca }));
      return new Response(text, { status });
    },
  });
  const algorithms = endpoint?.algorithms?.filter((name) => ALGORITHMS.includes(name)) ??
    ALGORITHMS;
  return {
    async verify(token, { issuer, required, ageMaxSeconds, skewSeconds = SKEW_SECONDS }) {
      try {
        return await jwtVerify<JWTPayload>(token, keys, {
          issuer,
          audience: client_id,
          algorithms,
          clockTolerance: skewSeconds,
          requiredClaims: required,
          maxTokenAge: ageMaxSeconds,
          currentDate: clock.now(),
        });
      } catch (error) {
        if (error instanceof SignInFailure) throw error;
        const { code = "", message } = error as { code?: string; message: string };
        throw new SignInFailure("untrusted", `token: ${code} ${message}`.slice(0, 300));
      }
    },
  };
}
