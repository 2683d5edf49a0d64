import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { Provider } from "@/tests/packages/oidc_provider.ts";

/** The provider's claims and behavior, which tests may change. */
interface Manners {
  subject: string;
  claims: Record<string, unknown>;
  /** Whether the person agrees to share their identity. */
  consents: boolean;
  /** Returns another ID token, or none, instead of the one that it would issue. */
  idToken?: (token: string) => string | undefined | Promise<string>;
  /** Answers requests instead of it. */
  answer?: (
    path: string,
  ) => { status: number; headers?: Record<string, string>; body?: string } | null;
}

export interface TestProvider extends AsyncDisposable {
  issuer: string;
  manners: Manners;
  /** The paths that were requested. */
  asked: string[];
  /** Signs claims with its own key, or with another one. */
  sign(
    claims: JWTPayload,
    options?: { key?: JWK; header?: Record<string, unknown> },
  ): Promise<string>;
  /** Replaces its key. */
  rotate(): Promise<void>;
  /** Stops, and starts again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const CLIENT = { id: "callboard", secret: "a secret: 50% of +/&=" };

/** Returns the claims of a logout token. Tests add the session or person. */
export const logoutClaims = (issuer: string): JWTPayload => {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: CLIENT.id,
    iat: seconds,
    exp: seconds + 120,
    jti: crypto.randomUUID(),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
};

const ZOE = {
  email: "zoe@corp.example.com",
  email_verified: true,
  name: "Zoe Z",
  preferred_username: "zoe",
  groups: ["staff"],
};

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...await exportJWK(privateKey), kid, alg: "RS256", use: "sig" };
}

/** Starts a real provider (`oidc-provider`, which is certified) on loopback, with one client. */
export async function startProvider(
  { app = "http://callboard.test", id = "main", port, client = {} }: {
    /** Callboard's URL. */
    app?: string;
    /** The provider's id in Callboard. */
    id?: string;
    /** Its port, or any free port if undefined. */
    port?: number;
    client?: Record<string, unknown>;
  } = {},
): Promise<TestProvider> {
  const manners: Manners = { subject: "zoe-1", claims: ZOE, consents: true };
  const asked: string[] = [];
  let keys = [await newKey("one")];
  port ??= await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const metadata = {
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    redirect_uris: [`${app}/api/auth/oidc/${id}/redirect`],
    backchannel_logout_uri: `${app}/api/auth/oidc/${id}/backchannel_logout`,
    backchannel_logout_session_required: true,
    post_logout_redirect_uris: [`${app}/auth/login`],
    ...client,
  };
  const serve = async () => {
    const provider = makeProvider(issuer, metadata, keys, manners);
    const callback = provider.callback();
    const server = createServer((req, res) => {
      const path = new URL(req.url!, issuer).pathname;
      asked.push(path);
      const instead = manners.answer?.(path);
      if (!instead) return void callback(req, res);
      res.writeHead(instead.status, instead.headers).end(instead.body);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
    return server;
  };
  let server = await serve();
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    issuer,
    manners,
    asked,
    async sign(claims, { key = keys[0], header = {} } = {}) {
      const alg = key.alg ?? "RS256";
      return await new SignJWT(claims).setProtectedHeader({ alg, kid: key.kid, ...header })
        .sign(await importJWK(key, alg));
    },
    async rotate() {
      keys = [await newKey(crypto.randomUUID())];
      await stop();
      server = await serve();
    },
    stop,
    start: async () => void (server = await serve()),
    [Symbol.asyncDispose]: stop,
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function makeProvider(
  issuer: string,
  client: Record<string, unknown>,
  keys: JWK[],
  manners: Manners,
): Provider {
  // deno-lint-ignore no-explicit-any -- as in the package's types
  const configuration: any = {
    clients: [client],
    jwks: { keys },
    cookies: { keys: ["only of tests"] },
    conformIdTokenClaims: false,
    claims: {
      openid: ["sub", "sid"],
      email: ["email", "email_verified"],
      profile: ["name", "preferred_username", "groups"],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...manners.claims }),
    }),
    ttl: { Session: 600, Grant: 600, Interaction: 600 },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    const { pathname } = new URL(ctx.req.url!, issuer);
    if (pathname.startsWith("/interaction/")) return await interact(provider, manners, ctx);
    await next();
    if (pathname !== "/token" || !manners.idToken) return;
    const body = ctx.body as { id_token?: string | undefined };
    if (body.id_token) body.id_token = await manners.idToken(body.id_token);
  });
  return provider;
}

/** Answers without a page: everyone is `manners.subject`, and agrees or not. */
async function interact(
  provider: Provider,
  { subject, consents }: Manners,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
) {
  const { prompt, params, session } = await provider.interactionDetails(req, res);
  const finish = (result: Record<string, object | string>) =>
    provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
  if (!consents) return await finish({ error: "access_denied" });
  if (prompt.name === "login") return await finish({ login: { accountId: subject } });
  const grant = new provider.Grant({
    accountId: session!.accountId,
    clientId: params.client_id as string,
  });
  grant.addOIDCScope("openid profile email");
  return await finish({ consent: { grantId: await grant.save() } });
}
