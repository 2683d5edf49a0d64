import { conceal, reveal, type Secret } from "../../../base/secret.ts";
import { answerObject, onceDone, requireCredential, requireSuccess } from "../answers.ts";
import { sourceError } from "../errors.ts";
import type { OpenSource, SourceAccess, SourceKind, SourceValues } from "../kind.ts";
import { valuesOf } from "../text_values.ts";
import { askVault, VAULT_FIELDS } from "./ask.ts";

/** A lease, or all that the own token of a run has. */
interface VaultLease {
  token: string;
  /** Missing if the token itself is to be revoked, with all leases that it has. */
  id?: string;
}

/**
 * Vault and OpenBao, whose HTTP API is the same: https://developer.hashicorp.com/vault/api-docs and
 * https://openbao.org/api-docs. A path is that of a secret in the KV 2 engine at `mount`. With a
 * slash in front it is any path of the API, such as `/database/creds/app`.
 */
export const vaultSource: SourceKind = {
  fields: VAULT_FIELDS,
  hasSecret: ({ auth_method }) => auth_method !== "jwt",
  sendsSecret: ({ auth_method }) => auth_method === "token",
  signs: true,
  audience: ({ auth_method, audience, url }) =>
    auth_method === "jwt" ? audience || new URL(url).origin : null,
  open: openVault,
  async revoke(access, text) {
    const { token, id }: VaultLease = JSON.parse(text);
    const path = id ? "sys/leases/revoke" : "auth/token/revoke-self";
    const body = id ? { lease_id: id } : {};
    // A token or a lease that is gone already answers 400, 403 or 404.
    await askVault(access, path, { path, method: "PUT", token: conceal(token), body });
  },
};

function openVault(access: SourceAccess): OpenSource {
  const { hold, storage } = access;
  const signedIn = onceDone(() => signIn(access));

  async function read(path: string, body?: object): Promise<SourceValues> {
    const { token, isOwn } = await signedIn();
    const apiPath = body ? path.replace(/^\//, "") : pathOf(storage.params.mount, path);
    const method = body && "POST";
    const answer = await askVault(access, apiPath, { token, path, method, body });
    requireSuccess(access, path, answer);
    const { data, lease_id: id } = answerObject<VaultAnswer>(answer.text);
    // Revoking the run's own token ends its leases.
    if (id && !isOwn) await hold(JSON.stringify({ token: reveal(token, "source"), id }));
    if (!data) throw sourceError(storage, path, "missing");
    return { values: valuesOf(isVersioned(data) ? data.data : data) };
  }

  return {
    read: (path) => read(path),
    /** Asks the SSH engine, at a path such as `ssh/sign/ROLE`. */
    sign: (path, { publicKey, login }) =>
      read(path, {
        public_key: publicKey,
        cert_type: "user",
        ...login && { valid_principals: login },
      }),
  };
}

interface Token {
  token: Secret;
  /** Whether it is the run's own, and ends with it. */
  isOwn: boolean;
}

async function signIn(access: SourceAccess): Promise<Token> {
  const { storage, machine } = access;
  const { auth_method: method, auth_mount, role, role_id } = storage.params;
  const { vaultToken: own } = machine.sources;
  if (own && own.origin === new URL(storage.params.url).origin) {
    return { token: own.token, isOwn: false };
  }
  if (method === "jwt") {
    if (!storage.identity) throw sourceError(storage, "", "no_identity");
    return await logIn(access, auth_mount || "jwt", { role, jwt: storage.identity });
  }
  const secret = requireCredential(access);
  if (method !== "approle") return { token: secret, isOwn: false };
  return await logIn(access, auth_mount || "approle", { role_id, secret_id: secret });
}

async function logIn(
  access: SourceAccess,
  mount: string,
  credential: Record<string, string | Secret>,
): Promise<Token> {
  const { storage, hold } = access;
  const body = Object.fromEntries(
    Object.entries(credential).map(([name, value]) => [name, reveal(value, "source")]),
  );
  const { code, text, said } = await askVault(access, `auth/${mount}/login`, {
    method: "POST",
    path: "",
    body,
    secrets: Object.values(body),
  });
  const { auth } = answerObject<VaultAnswer>(text);
  if (code !== 200 || !auth?.client_token) {
    throw sourceError(storage, "", "sign_in", { why: `${code} ${said}`.trim() });
  }
  // Batch tokens cannot be revoked, but each of their leases can.
  const isOwn = auth.token_type !== "batch";
  if (isOwn) await hold(JSON.stringify({ token: auth.client_token }));
  return { token: conceal(auth.client_token), isOwn };
}

/** Returns the path of the API for a path of a reference. */
const pathOf = (mount: string, path: string): string =>
  path.startsWith("/") ? path.slice(1) : `${mount}/data/${path}`;

interface VaultAnswer {
  data: Record<string, unknown> | null;
  lease_id: string;
  auth: { client_token?: string; token_type?: string } | null;
}

/** Whether an answer is that of the KV 2 engine, which has the values one level deeper. */
const isVersioned = (data: object): data is { data: object } =>
  "data" in data && typeof data.data === "object" && data.data !== null && "metadata" in data;
