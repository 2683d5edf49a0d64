import { importJWK, type JWK, SignJWT } from "jose";
import type { Deps } from "../access/deps.ts";
import type { Config } from "../base/settings/config.ts";
import { AppError } from "../base/errors.ts";
import { conceal, reveal, type Secret } from "../base/secret.ts";
import { ALGORITHM, readKeys, signingKey } from "./key_ring.ts";

/** Claims about a task. Ids are texts, because clouds and Vault compare texts only. */
export type IdentityClaims = { sub: string } & Record<string, string | string[] | undefined>;

/** Returns the issuer of all identities; null if the server's own address is not configured. */
export const issuerOf = ({ url }: Pick<Config, "url">): string | null =>
  url && url.href.replace(/(?<!\/)\/+$/, "");

/**
 * Returns a JWT with these claims for `audience`, valid for `seconds` from now. Throws AppError if
 * the server's own address is not configured.
 */
export async function signIdentity(
  deps: Pick<Deps, "kv" | "clock" | "config" | "secrets">,
  claims: IdentityClaims,
  audience: string,
  seconds: number,
): Promise<Secret> {
  const issuer = issuerOf(deps.config);
  if (!issuer) throw new AppError(400, "errors.run.identity_address");
  const now = deps.clock.now().getTime();
  const { kid, sealed } = signingKey(await readKeys(deps), now);
  const jwk = JSON.parse(reveal(await deps.secrets.open(sealed), "parse")) as JWK;
  const issued = Math.floor(now / 1000);
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issued)
    .setNotBefore(issued)
    .setExpirationTime(issued + seconds)
    .setJti(crypto.randomUUID())
    .sign(await importJWK(jwk, ALGORITHM));
  return conceal(token);
}
