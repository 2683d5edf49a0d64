import { AwsV4Signer } from "aws4fetch";
import { reveal } from "../../base/secret.ts";
import {
  answerObject,
  onceDone,
  requireCredential,
  requireSuccess,
  textOfBase64,
  valuesIn,
} from "./answers.ts";
import { sourceError, Unavailable } from "./errors.ts";
import type { OpenSource, SourceAccess, SourceKind } from "./kind.ts";
import { askSource } from "./request.ts";

/** Keys that sign requests. Those that STS has issued have a token, and expire automatically. */
interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * AWS Secrets Manager: `GetSecretValue` of
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/. A path is the name or the ARN of
 * a secret. Requests are signed with the keys of a user, or of a role that trusts the task.
 */
export const aws: SourceKind = {
  fields: [
    { name: "region", required: true, inHeader: true },
    { name: "auth_method", choices: ["access_key", "jwt"], fallback: "access_key" },
    {
      name: "access_key_id",
      required: true,
      inHeader: true,
      when: { auth_method: "access_key" },
    },
    { name: "role_arn", required: true, when: { auth_method: "jwt" } },
    { name: "audience", when: { auth_method: "jwt" } },
    // For both services, if they are not at their public addresses.
    { name: "endpoint", type: "url" },
  ],
  hasSecret: ({ auth_method }) => auth_method !== "jwt",
  audience: ({ auth_method, audience }) =>
    auth_method === "jwt" ? audience || "sts.amazonaws.com" : null,
  open: openAws,
};

function openAws(access: SourceAccess): OpenSource {
  const { storage } = access;
  const keysOf = onceDone(() => signIn(access));
  return {
    async read(path) {
      const { accessKeyId, secretAccessKey, sessionToken } = await keysOf();
      const url = addressOf(access, "secretsmanager");
      const body = JSON.stringify({ SecretId: path });
      const { headers } = await new AwsV4Signer({
        url,
        method: "POST",
        headers: {
          "Content-Type": "application/x-amz-json-1.1",
          "X-Amz-Target": "secretsmanager.GetSecretValue",
        },
        body,
        accessKeyId,
        secretAccessKey,
        sessionToken,
        service: "secretsmanager",
        region: storage.params.region,
      }).sign();
      const secrets = [secretAccessKey, ...sessionToken ? [sessionToken] : []];
      const sent = { url, method: "POST", headers: Object.fromEntries(headers), body } as const;
      const answer = await askSource({ ...access, path }, { ...sent, secrets });
      const { __type = "", SecretString, SecretBinary } = answerObject<AwsAnswer>(answer.text);
      requireNoFault(access, path, __type, answer);
      requireSuccess(access, path, answer);
      return valuesIn(SecretString ?? textOfBase64(SecretBinary));
    },
  };
}

interface AwsAnswer {
  SecretString: string;
  /** Base64. */
  SecretBinary: string;
  /** Name of a fault, which may begin with its namespace. */
  __type: string;
}

/** Throws the reason of a fault. Nearly all of them have the status 400. */
function requireNoFault(
  { storage }: SourceAccess,
  path: string,
  type: string,
  { code, said }: { code: number; said: string },
): void {
  if (/ResourceNotFound/.test(type)) throw sourceError(storage, path, "missing");
  if (/AccessDenied/.test(type)) throw sourceError(storage, path, "denied");
  if (/Throttling|LimitExceeded/.test(type)) throw new Unavailable(said);
  if (/Signature|UnrecognizedClient|InvalidClientTokenId|ExpiredToken/.test(type)) {
    throw sourceError(storage, path, "sign_in", { why: `${code} ${said}` });
  }
}

async function signIn(access: SourceAccess): Promise<AwsKeys> {
  const { storage: { params } } = access;
  if (params.auth_method === "jwt") return await assumeRole(access);
  const secretAccessKey = reveal(requireCredential(access), "source");
  return { accessKeyId: params.access_key_id, secretAccessKey };
}

/** Exchanges the identity of the task for keys of a role. STS answers in XML. */
async function assumeRole(access: SourceAccess): Promise<AwsKeys> {
  const { storage } = access;
  if (!storage.identity) throw sourceError(storage, "", "no_identity");
  const token = reveal(storage.identity, "source");
  const body = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: storage.params.role_arn,
    RoleSessionName: "callboard",
    WebIdentityToken: token,
  });
  const { code, text, said } = await askSource({ ...access, path: "" }, {
    url: addressOf(access, "sts"),
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: body.toString(),
    secrets: [token],
  });
  const [accessKeyId, secretAccessKey, sessionToken] = [
    /<AccessKeyId>([^<]+)</,
    /<SecretAccessKey>([^<]+)</,
    /<SessionToken>([^<]+)</,
  ].map((element) => element.exec(text)?.[1]);
  if (code !== 200 || !accessKeyId || !secretAccessKey || !sessionToken) {
    throw sourceError(storage, "", "sign_in", { why: `${code} ${said}` });
  }
  return { accessKeyId, secretAccessKey, sessionToken };
}

function addressOf({ storage: { params } }: SourceAccess, service: string): string {
  if (params.endpoint) return new URL(params.endpoint).href;
  const region = params.region.replaceAll(/[^a-z0-9-]/g, "");
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return `https://${service}.${region}.${domain}/`;
}
