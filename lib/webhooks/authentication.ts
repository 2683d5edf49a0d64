import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { isSameSecret } from "../access/same_secret.ts";
import type { IntegrationRow } from "../integrations/schema.ts";

/** Where GitHub puts its signature. */
const GITHUB_HEADER = "X-Hub-Signature-256";

type Auth = Pick<IntegrationRow, "auth_method" | "auth_header">;

/**
 * Whether a call proves that it knows `secret`. Without a secret, or without a header to look at,
 * nothing proves it. What is compared is compared in constant time.
 */
export function isAuthentic(
  { auth_method, auth_header }: Auth,
  secret: string | null,
  { headers, body }: { headers: Headers; body: Uint8Array },
): boolean {
  if (auth_method === "") return true;
  const name = auth_method === "github" ? GITHUB_HEADER : auth_header;
  const given = name === "" ? null : headers.get(name);
  if (!secret || given === null) return false;
  // Header values are bytes, one a character.
  if (auth_method === "token") {
    return isSameSecret(Buffer.from(given, "latin1"), Buffer.from(secret));
  }
  const signature = auth_method === "github" ? afterPrefix(given) : afterPrefix(given) ?? given;
  if (signature === null || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  const expected = createHmac("sha256", secret).update(body).digest();
  return isSameSecret(Buffer.from(signature, "hex"), expected);
}

const PREFIX = "sha256=";

function afterPrefix(text: string): string | null {
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : null;
}
