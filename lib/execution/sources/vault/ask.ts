import { reveal, type Secret } from "../../../base/secret.ts";
import type { SourceAccess, SourceField } from "../kind.ts";
import { askSource } from "../request.ts";

export const VAULT_FIELDS: readonly SourceField[] = [
  { name: "url", type: "url", required: true },
  { name: "namespace", inHeader: true },
  { name: "mount", fallback: "secret" },
  { name: "auth_method", choices: ["token", "approle", "jwt"], fallback: "token" },
  { name: "auth_mount" },
  { name: "role_id", required: true, when: { auth_method: "approle" } },
  { name: "role", required: true, when: { auth_method: "jwt" } },
  { name: "audience", when: { auth_method: "jwt" } },
  { name: "ca_certificate", type: "area" },
];

interface VaultRequest {
  /** As in the reference, for errors. */
  path: string;
  method?: "POST" | "PUT";
  token?: Secret;
  body?: object;
  secrets?: string[];
}

/** Sends a request to a path below `/v1/`. */
export function askVault(
  { storage, machine, stop }: Omit<SourceAccess, "hold">,
  apiPath: string,
  { path, method, token, body, secrets = [] }: VaultRequest,
) {
  const { url, namespace, ca_certificate: ca } = storage.params;
  const base = url.replace(/(?<!\/)\/+$/, "").replace(/\/v1$/, "");
  const text = token && reveal(token, "source");
  return askSource({ storage, machine, stop, path }, {
    url: `${base}/v1/${apiPath.split("/").map(encodeURIComponent).join("/")}`,
    method,
    headers: {
      "X-Vault-Request": "true",
      ...namespace && { "X-Vault-Namespace": namespace },
      ...text && { "X-Vault-Token": text },
    },
    body,
    ca,
    secrets: text ? [...secrets, text] : secrets,
  });
}
