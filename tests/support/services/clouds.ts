import { Buffer } from "node:buffer";
import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from "jose";

/**
 * Stand-ins of the secret storages of clouds, written from their documents: AWS Secrets Manager and
 * STS, Azure Key Vault with Microsoft Entra, Google Secret Manager, 1Password Connect and Bitwarden
 * Secrets Manager.
 */
export interface Clouds extends AsyncDisposable {
  /** Addresses end in the name of the service, such as `http://127.0.0.1:1234/aws`. */
  url: string;
  /** Texts by name or path, the same in all services. */
  secrets: Map<string, string>;
  /** Services, methods and paths, in order. */
  requests: string[];
  /** Answers all further requests with this status and text. */
  answer: { status: number; text: string } | null;
  /** JSON key of a service account of Google. */
  serviceAccount: string;
  /** Access token of a machine account of Bitwarden. */
  machineToken: string;
}

export const AWS_ID = "AKIAIOSFODNN7EXAMPLE";
export const AWS_SECRET = ["wJalrXUtnFEMI", "K7MDENG", "swordfishKEY"].join("/");
export const ROLE_ARN = "arn:aws:iam::123456789012:role/deploy";
export const CLIENT_SECRET = "entra~swordfish";
export const CONNECT_TOKEN = "connect-swordfish";
export const TASK_TOKEN = "identity-of-the-task";
const SESSION = "session-swordfish";
/** Issued by the services of Microsoft and Google. */
export const ISSUED_TOKEN = "issued-swordfish";
export const VAULT_ID = "vvvvvvvvvvvvvvvvvvvvvvvvvv";
const ORGANIZATION = "f4e44a7f-1190-432a-9d4a-af96013127cb";

const json = (body: unknown, status = 200) => Response.json(body, { status });

export async function newClouds(): Promise<Clouds> {
  const keys = await generateKeyPair("RS256", { extractable: true });
  const bitwarden = await newBitwarden();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handle);
  const url = `http://127.0.0.1:${server.addr.port}`;
  const clouds: Clouds = {
    url,
    secrets: new Map(),
    requests: [],
    answer: null,
    serviceAccount: JSON.stringify({
      type: "service_account",
      project_id: "shop-1",
      private_key_id: "k1",
      private_key: await exportPKCS8(keys.privateKey),
      client_email: "callboard@shop-1.iam.gserviceaccount.com",
      token_uri: `${url}/google/token`,
    }),
    machineToken: bitwarden.machineToken,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };

  async function handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, service, ...parts] = pathname.split("/");
    const path = parts.join("/");
    clouds.requests.push(`${request.method} ${pathname}`);
    if (clouds.answer) return new Response(clouds.answer.text, { status: clouds.answer.status });
    const body = await request.text();
    const form = new URLSearchParams(body);
    const isBearer = request.headers.get("authorization") === `Bearer ${ISSUED_TOKEN}`;
    switch (service) {
      case "aws":
        return form.has("Action") ? assumeRole(form) : await aws(request, body);
      case "entra": {
        const isFine = path === "tenant-1/oauth2/v2.0/token" &&
          form.get("grant_type") === "client_credentials" && form.get("client_id") === "app-1" &&
          form.get("client_secret") === CLIENT_SECRET &&
          form.get("scope") === "https://vault.azure.net/.default";
        return isFine
          ? json({ token_type: "Bearer", expires_in: 3599, access_token: ISSUED_TOKEN })
          : json({ error: "invalid_client", error_description: `AADSTS7000215: ${body}` }, 401);
      }
      case "azure": {
        if (!isBearer) return json({ error: { code: "Unauthorized" } }, 401);
        if (searchParams.get("api-version") !== "7.4") return json({ error: {} }, 400);
        const value = clouds.secrets.get(decodeURIComponent(path.replace(/^secrets\//, "")));
        if (value === undefined) return json({ error: { code: "SecretNotFound" } }, 404);
        return json({ value, id: request.url, attributes: { enabled: true } });
      }
      case "google": {
        if (path === "token") return await googleToken(form);
        if (!isBearer) return json({ error: { code: 401, status: "UNAUTHENTICATED" } }, 401);
        const match = /^v1\/projects\/shop-1\/secrets\/([^/]+)\/versions\/(\w+)(?::|%3A)access$/
          .exec(path);
        const data = match && match[2] === "latest" && clouds.secrets.get(match[1]);
        if (!data) return json({ error: { code: 404, status: "NOT_FOUND" } }, 404);
        return json({ name: path, payload: { data: Buffer.from(data).toString("base64") } });
      }
      case "onepassword":
        if (request.headers.get("authorization") !== `Bearer ${CONNECT_TOKEN}`) {
          return json({ status: 401, message: "Invalid bearer token" }, 401);
        }
        return onepassword(path, searchParams.get("filter") ?? "");
      case "bitwarden":
        return bitwarden.handle(path, form, request, clouds.secrets);
    }
    return json({}, 500);
  }

  async function googleToken(form: URLSearchParams): Promise<Response> {
    const { payload } = await jwtVerify(form.get("assertion") ?? "", keys.publicKey, {
      audience: `${url}/google/token`,
      issuer: "callboard@shop-1.iam.gserviceaccount.com",
    });
    const isFine = payload.scope === "https://www.googleapis.com/auth/cloud-platform" &&
      form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
      payload.exp! - payload.iat! <= 3600;
    return isFine
      ? json({ access_token: ISSUED_TOKEN, expires_in: 3599, token_type: "Bearer" })
      : json({ error: "invalid_grant" }, 400);
  }

  async function aws(request: Request, body: string): Promise<Response> {
    const fault = (type: string, status = 400) => json({ __type: type, Message: type }, status);
    if (!await isSigned(request, body)) return fault("InvalidSignatureException");
    if (request.headers.get("x-amz-target") !== "secretsmanager.GetSecretValue") {
      return fault("UnknownOperationException");
    }
    const { SecretId } = JSON.parse(body);
    if (SecretId === "forbidden") return fault("AccessDeniedException");
    if (SecretId === "busy") return fault("ThrottlingException");
    const SecretString = clouds.secrets.get(SecretId);
    if (SecretString === undefined) return fault("ResourceNotFoundException");
    const SecretBinary = Buffer.from(SecretString).toString("base64");
    return json({ Name: SecretId, ...SecretId === "binary" ? { SecretBinary } : { SecretString } });
  }

  function onepassword(path: string, filter: string): Response {
    const listed = /^v1\/vaults(?:\/(\w+)\/items)?$/.exec(path);
    const itemId = "i".repeat(26);
    if (listed && !listed[1]) {
      return json(filter === 'name eq "Team \\"A\\""' ? [{ id: VAULT_ID, name: 'Team "A"' }] : []);
    }
    if (listed) {
      if (filter === 'title eq "twice"') return json([{ id: itemId }, { id: "j".repeat(26) }]);
      return json(filter === 'title eq "app/prod"' ? [{ id: itemId, title: "app/prod" }] : []);
    }
    if (path !== `v1/vaults/${VAULT_ID}/items/${itemId}`) return json({ status: 404 }, 404);
    return json({
      id: itemId,
      sections: [{ id: "s1", label: "Database" }],
      fields: [
        { id: "username", label: "username", purpose: "USERNAME", value: "deploy" },
        {
          id: "password",
          label: "password",
          purpose: "PASSWORD",
          value: clouds.secrets.get("app"),
        },
        { id: "f1", label: "password", section: { id: "s1" }, value: "database-swordfish" },
        { id: "notesPlain", label: "notesPlain", purpose: "NOTES" },
      ],
    });
  }
  return clouds;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Uint8Array, text: string) =>
  createHmac("sha256", key).update(text).digest();

/** Checks the signature of version 4 by AWS's own description of it. */
function isSigned(request: Request, body: string): boolean {
  const { headers } = request;
  const match =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/secretsmanager\/aws4_request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/
      .exec(headers.get("authorization") ?? "");
  if (!match) return false;
  const [, id, day, region, signed, signature] = match;
  const names = signed.split(";");
  const time = headers.get("x-amz-date") ?? "";
  if (!["host", "x-amz-date", "x-amz-target"].every((name) => names.includes(name))) return false;
  if (id === "ASIATEMPORARY" && headers.get("x-amz-security-token") !== SESSION) return false;
  const canonical = [
    request.method,
    new URL(request.url).pathname,
    "",
    ...names.map((name) => `${name}:${headers.get(name)}`),
    "",
    signed,
    headers.get("x-amz-content-sha256") ?? sha256(body),
  ].join("\n");
  if ((headers.get("x-amz-content-sha256") ?? sha256(body)) !== sha256(body)) return false;
  const scope = `${day}/${region}/secretsmanager/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const secret = id === AWS_ID ? AWS_SECRET : id === "ASIATEMPORARY" ? "temporary" : "";
  const key = [day, region, "secretsmanager", "aws4_request"]
    .reduce<string | Uint8Array>((key, part) => hmac(key, part), `AWS4${secret}`);
  return region === "eu-central-1" && time.startsWith(day) &&
    Buffer.from(hmac(key, text)).toString("hex") === signature;
}

function assumeRole(form: URLSearchParams): Response {
  const isFine = form.get("Action") === "AssumeRoleWithWebIdentity" &&
    form.get("Version") === "2011-06-15" && form.get("RoleArn") === ROLE_ARN &&
    form.get("WebIdentityToken") === TASK_TOKEN && form.get("RoleSessionName") !== null;
  if (!isFine) {
    const text = `<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>`;
    return new Response(text, { status: 403, headers: { "Content-Type": "text/xml" } });
  }
  return new Response(
    `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
      <AccessKeyId>ASIATEMPORARY</AccessKeyId><SecretAccessKey>temporary</SecretAccessKey>
      <SessionToken>${SESSION}</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration>
    </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    { headers: { "Content-Type": "text/xml" } },
  );
}

/** The part of Bitwarden: its server has only what is encrypted for the organization. */
async function newBitwarden() {
  const clientId = "ec2c1d46-6a4b-4751-a310-af9601317f2d";
  const clientSecret = "C2IgxjjLF7qSshsb-swordfish";
  const secret = randomBytes(16);
  const organizationKey = randomBytes(64);
  const prk = createHmac("sha256", "bitwarden-accesstoken").update(secret).digest();
  // Only the second half of HKDF, because Bitwarden has its own first half.
  const tokenKey = expand(prk, "sm-access-token");
  const token = await new SignJWT({ organization: ORGANIZATION })
    .setProtectedHeader({ alg: "HS256" }).sign(randomBytes(32));
  const encrypted_payload = encrypt(
    JSON.stringify({ encryptionKey: organizationKey.toString("base64") }),
    tokenKey,
  );
  const idOf = (name: string) =>
    sha256(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  return {
    machineToken: `0.${clientId}.${clientSecret}:${secret.toString("base64")}`,
    handle(path: string, form: URLSearchParams, request: Request, secrets: Map<string, string>) {
      if (path === "connect/token") {
        const isFine = form.get("client_id") === clientId &&
          form.get("client_secret") === clientSecret && form.get("scope") === "api.secrets";
        return isFine
          ? json({ access_token: token, expires_in: 3600, token_type: "Bearer", encrypted_payload })
          : json({ error: "invalid_client" }, 400);
      }
      if (request.headers.get("authorization") !== `Bearer ${token}`) return json({}, 401);
      const all = [...secrets].map(([name, value]) => ({
        id: idOf(name),
        organizationId: ORGANIZATION,
        key: encrypt(name, organizationKey),
        value: encrypt(value, organizationKey),
        note: encrypt("", organizationKey),
      }));
      if (path === `organizations/${ORGANIZATION}/secrets`) {
        return json({ secrets: all.map(({ value: _, ...named }) => named), projects: [] });
      }
      const one = all.find(({ id }) => path === `secrets/${id}`);
      return one ? json(one) : json({ message: "Resource not found." }, 404);
    },
  };
}

/** HKDF-Expand of RFC 5869, for 64 bytes. */
function expand(prk: Uint8Array, info: string): Uint8Array {
  const first = createHmac("sha256", prk).update(`${info}\x01`).digest();
  const second = createHmac("sha256", prk).update(
    Buffer.concat([first, Buffer.from(`${info}\x02`)]),
  )
    .digest();
  return Buffer.concat([first, second]);
}

function encrypt(text: string, key: Uint8Array): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", key.slice(0, 32), iv);
  const data = Buffer.concat([cipher.update(text), cipher.final()]);
  const mac = createHmac("sha256", key.slice(32)).update(Buffer.concat([iv, data])).digest();
  return `2.${[iv, data, mac].map((part) => part.toString("base64")).join("|")}`;
}
