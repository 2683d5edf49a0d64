import { createRemoteJWKSet, customFetch, jwtVerify, type JWTVerifyResult } from "jose";
import type { Clock } from "../base/time/clock.ts";
import { askJson } from "./ask.ts";
import { providerStep, SignInFailure, verify } from "./failure.ts";
import type { ProviderSettings } from "./settings.ts";

/**
 * Algorithms with a key that only the provider has. "none" and secrets that this server has too are
 * excluded.
 */
export const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
/** Unknown keys are fetched at most this often, so that made-up tokens cause no requests. */
const COOLDOWN_MS = 5_000;
/** Allowed difference between the clocks of a provider and of this server, unless one is given. */
export const SKEW_SECONDS = 60;

/** Keys of a provider. They verify what it has signed, and throw a failure for anything else. */
export interface KeySet {
  verify(token: string, expected: Expected): Promise<JWTVerifyResult>;
}

interface Expected {
  issuer: string;
  /** Claims that the token must have. */
  required?: string[];
  /** Maximum age of the token, if it is limited beside its own expiry. */
  ageMaxSeconds?: number;
  skewSeconds?: number;
}

/** Returns the keys at a URL. They are fetched when a token is signed with an unknown one. */
export function keySet(
  url: string | undefined,
  { client_id, endpoint }: Pick<ProviderSettings, "client_id" | "endpoint">,
  ca: string | null,
  clock: Pick<Clock, "now">,
): KeySet {
  const keys = url && createRemoteJWKSet(new URL(url), {
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: async (url) =>
      Response.json(await providerStep("keys", "endpoint", () => askJson(url, { ca }))),
  });
  const algorithms = endpoint?.algorithms?.filter((name) => ALGORITHMS.includes(name)) ??
    ALGORITHMS;
  return {
    async verify(token, { issuer, required, ageMaxSeconds, skewSeconds = SKEW_SECONDS }) {
      if (!keys) {
        throw new SignInFailure("untrusted", "no keys to verify tokens with; see endpoint.jwks");
      }
      return await verify("token", () =>
        jwtVerify(token, keys, {
          issuer,
          audience: client_id,
          algorithms,
          clockTolerance: skewSeconds,
          requiredClaims: required,
          maxTokenAge: ageMaxSeconds,
          currentDate: clock.now(),
        }));
    },
  };
}
