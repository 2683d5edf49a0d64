import { join } from "node:path";
import { makeCertificates } from "./certificates.ts";

/** A stand-in for Vault and OpenBao, written from https://developer.hashicorp.com/vault/api-docs. */
export interface VaultStandIn {
  url: string;
  /** Certificate in PEM of its private authority. */
  ca: string;
  /** Secrets of the KV 2 engine "secret", by path. */
  secrets: Map<string, Record<string, unknown>>;
  /** Method and path of each request, such as "GET /v1/secret/data/app". */
  requests: string[];
  /** Leases that are not revoked, with the token that owns them. */
  leases: Map<string, string>;
  /** Tokens that are valid. */
  tokens: Set<string>;
  /** Tokens of all sign-ins. */
  issued: string[];
  namespaces: Set<string>;
  /** Checks the JWT of a sign-in. */
  acceptsJwt(jwt: string, role: string): boolean | Promise<boolean>;
  /** Signs a public key for the role "deploy" of the SSH engine. */
  signs(publicKey: string, login: string): Promise<string>;
  /** Answers 503, as a sealed Vault does. */
  sealed: boolean;
  down(): Promise<void>;
  up(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export const ROOT_TOKEN = "hvs.root-swordfish";
export const ROLE_ID = "59d6d1ca-47bb-4e7e-a40b-8be3bc5a0ba8";
export const SECRET_ID = "84896a0c-secret-id-swordfish";

const json = (body: object, status = 200) => Response.json(body, { status });
const refused = (status: number, ...errors: string[]) => json({ errors }, status);
const answer = (data: object, lease: object = {}) =>
  json({
    request_id: crypto.randomUUID(),
    lease_id: "",
    renewable: false,
    lease_duration: 0,
    data,
    ...lease,
  });

export async function newVault(): Promise<VaultStandIn> {
  const directory = await Deno.makeTempDir({ prefix: "vault_" });
  const ca = await makeCertificates(directory, "IP:127.0.0.1");
  const [cert, key] = await Promise.all(
    ["cert.pem", "key.pem"].map((name) => Deno.readTextFile(join(directory, name))),
  );
  let server: Deno.HttpServer<Deno.NetAddr> | null = null;
  let port = 0;
  const up = () => {
    server = Deno.serve({ port, hostname: "127.0.0.1", cert, key, onListen() {} }, handle);
    port = server.addr.port;
  };
  const down = async () => {
    await server?.shutdown();
    server = null;
  };

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    vault.requests.push(`${request.method} ${pathname}`);
    if (vault.sealed) return refused(503, "Vault is sealed");
    const body = request.body ? await request.json() : {};
    const path = pathname.replace(/^\/v1\//, "");
    const signIn = /^auth\/(approle|jwt)\/login$/.exec(path);
    if (signIn) return await login(signIn[1], body);
    const token = request.headers.get("x-vault-token") ?? "";
    const namespace = request.headers.get("x-vault-namespace") ?? "";
    if (!vault.tokens.has(token) || !vault.namespaces.has(namespace)) {
      return refused(403, "permission denied", "invalid token");
    }
    if (path === "ssh/sign/deploy" && request.method === "POST") {
      const { public_key, valid_principals, cert_type } = body;
      if (cert_type !== "user") return refused(400, "not a certificate of a user");
      const signed_key = await vault.signs(public_key, valid_principals);
      return answer({ serial_number: "c73f26d2340276aa", signed_key: `${signed_key}\n` });
    }
    return inside(path, token, body);
  }

  async function login(method: string, body: Record<string, string>): Promise<Response> {
    const { role_id, secret_id, jwt, role } = body;
    const isFine = method === "approle"
      ? role_id === ROLE_ID && secret_id === SECRET_ID
      : await vault.acceptsJwt(jwt, role);
    if (!isFine) {
      return refused(
        400,
        method === "jwt" ? "error validating token" : "invalid role or secret ID",
      );
    }
    const client_token = `hvs.${crypto.randomUUID()}`;
    vault.tokens.add(client_token);
    vault.issued.push(client_token);
    return json({ auth: { client_token, token_type: "service", lease_duration: 600 } });
  }

  function inside(path: string, token: string, body: { lease_id?: string }): Response {
    if (path === "auth/token/revoke-self") {
      vault.tokens.delete(token);
      for (const [id, owner] of vault.leases) if (owner === token) vault.leases.delete(id);
      return new Response(null, { status: 204 });
    }
    if (path === "sys/leases/revoke") {
      const known = vault.leases.delete(body.lease_id ?? "");
      return known ? new Response(null, { status: 204 }) : refused(400, "lease not found");
    }
    const kv = /^secret\/data\/(.+)$/.exec(path)?.[1];
    if (kv?.startsWith("private/")) return refused(403, "1 error occurred: permission denied");
    const data = kv && vault.secrets.get(decodeURIComponent(kv));
    if (data) return answer({ data, metadata: { version: 1, deletion_time: "" } });
    if (path !== "database/creds/app" && path !== "aws/creds/deploy") {
      return json({ errors: [] }, 404);
    }
    const lease_id = `${path}/${crypto.randomUUID().slice(0, 8)}`;
    vault.leases.set(lease_id, token);
    const lease = { lease_id, renewable: true, lease_duration: 3600 };
    return path.startsWith("aws")
      ? answer(
        { access_key: "AKIA-swordfish", secret_key: "aws-swordfish", security_token: null },
        lease,
      )
      : answer({ username: "v-app-1", password: "dynamic-swordfish" }, lease);
  }

  const vault: VaultStandIn = {
    url: "",
    ca,
    secrets: new Map(),
    requests: [],
    leases: new Map(),
    tokens: new Set([ROOT_TOKEN]),
    issued: [],
    namespaces: new Set([""]),
    acceptsJwt: () => false,
    signs: () => Promise.reject(new Error("nothing is signed")),
    sealed: false,
    up,
    down,
    async [Symbol.asyncDispose]() {
      await down();
      await Deno.remove(directory, { recursive: true });
    },
  };
  up();
  vault.url = `https://127.0.0.1:${port}`;
  return vault;
}
