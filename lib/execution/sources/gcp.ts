import { importPKCS8, SignJWT } from "jose";
import { reveal } from "../../base/secret.ts";
import {
  answerObject,
  encodedPath,
  onceDone,
  requireCredential,
  requireSignedIn,
  requireSuccess,
  textOfBase64,
  urlBelow,
  valuesIn,
} from "./answers.ts";
import { sourceError } from "./errors.ts";
import type { SourceAccess, SourceKind } from "./kind.ts";
import { askSource } from "./request.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SECONDS = 600;

/**
 * Google Secret Manager: https://cloud.google.com/secret-manager/docs/reference/rest. A path is the
 * name of a secret, name/version, or projects/…/secrets/…/versions/…. The credential is the JSON
 * key of a service account, which signs for a token:
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */
export const gcp: SourceKind = {
  fields: [
    // Otherwise that of the service account.
    { name: "project" },
    { name: "endpoint", type: "url", fallback: "https://secretmanager.googleapis.com" },
  ],
  hasSecret: () => true,
  open(access) {
    const { params } = access.storage;
    const signedIn = onceDone(() => signIn(access));
    return {
      async read(path) {
        const { token, project } = await signedIn();
        const name = versionOf(path, params.project || project);
        const answer = await askSource({ ...access, path }, {
          url: urlBelow(params.endpoint, `/v1/${encodedPath(name)}:access`),
          headers: { Authorization: `Bearer ${token}` },
          secrets: [token],
        });
        requireSuccess(access, path, answer);
        const { payload } = answerObject<{ payload: { data?: string } }>(answer.text);
        return valuesIn(textOfBase64(payload?.data));
      },
    };
  },
};

/** Returns the full name of a version. Without one, it is the latest. */
function versionOf(path: string, project: string): string {
  if (path.startsWith("projects/")) {
    return path.includes("/versions/") ? path : `${path}/versions/latest`;
  }
  const [name, version = "latest"] = path.split("/");
  return `projects/${project}/secrets/${name}/versions/${version}`;
}

interface ServiceAccount {
  client_email: string;
  private_key: string;
  private_key_id: string;
  project_id: string;
  token_uri: string;
}

async function signIn(access: SourceAccess): Promise<{ token: string; project: string }> {
  const text = reveal(requireCredential(access), "source");
  const account = answerObject<ServiceAccount>(text);
  const { token_uri = "https://oauth2.googleapis.com/token", project_id = "" } = account;
  const assertion = await assertionOf(account, token_uri).catch(() => {
    throw sourceError(access.storage, "", "no_credential");
  });
  const answer = await askSource({ ...access, path: "" }, {
    url: token_uri,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    secrets: [assertion],
  });
  const { access_token } = answerObject<{ access_token: string }>(answer.text);
  requireSignedIn(access, answer, access_token);
  return { token: access_token, project: project_id };
}

async function assertionOf(
  { client_email = "", private_key = "", private_key_id }: Partial<ServiceAccount>,
  audience: string,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: private_key_id })
    .setIssuer(client_email)
    .setAudience(new URL(audience).href)
    .setIssuedAt(now)
    .setExpirationTime(now + SECONDS)
    .sign(await importPKCS8(private_key, "RS256"));
}
