import type { JWK } from "jose";
import type { PublicDeps } from "../access/deps.ts";
import { notFound } from "../base/errors.ts";
import { ALGORITHM, readKeys } from "./key_ring.ts";
import { issuerOf } from "./sign.ts";

const JWKS_PATH = "/.well-known/jwks.json";

/**
 * Returns what verifiers of identities read first (OpenID Connect Discovery 1.0, section 3). Throws
 * 404 if the server's own address is not configured, because nothing could be verified then.
 */
export function describeIssuer({ config }: PublicDeps) {
  const issuer = issuerOf(config);
  if (!issuer) throw notFound();
  return {
    issuer,
    jwks_uri: issuer + JWKS_PATH,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [ALGORITHM],
    scopes_supported: ["openid"],
    claims_supported: CLAIMS,
  };
}

const CLAIMS = [
  ...["iss", "sub", "aud", "iat", "nbf", "exp", "jti"],
  ...["project_id", "project_name", "template_id", "template_name", "task_id"],
  ...["trigger", "dry_run", "user_id", "username", "branch", "commit", "environment_ids"],
];

/** Returns the public keys that verify identities (RFC 7517). Throws as `describeIssuer`. */
export async function publishKeys(deps: PublicDeps): Promise<{ keys: JWK[] }> {
  if (!issuerOf(deps.config)) throw notFound();
  const keys = await readKeys(deps);
  return {
    keys: keys.map(({ kid, public_jwk }) => ({ ...public_jwk, kid, alg: ALGORITHM, use: "sig" })),
  };
}
