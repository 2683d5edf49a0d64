import { decodeJwt } from "jose";
import { reveal } from "../../../base/secret.ts";
import {
  answerObject,
  CA_FIELD,
  onceDone,
  requireCredential,
  requireSignedIn,
  requireSuccess,
  urlBelow,
} from "../answers.ts";
import { sourceError } from "../errors.ts";
import type { SourceAccess, SourceKind } from "../kind.ts";
import { askSource } from "../request.ts";
import { textValues } from "../text_values.ts";
import { type BitwardenKey, bitwardenKey, decrypted, derivedKey } from "./crypto.ts";

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TOKEN = /^0\.([\da-f-]{36})\.([^:.]+):(.+)$/i;

/**
 * Bitwarden Secrets Manager: https://bitwarden.com/help/secrets-manager-overview/. A path is the id
 * of a secret, or its name if only one has it. The credential is the access token of a machine
 * account. Its second part never leaves this process: it decrypts what the server cannot read.
 */
export const bitwarden: SourceKind = {
  fields: [
    { name: "api_url", type: "url", fallback: "https://api.bitwarden.com" },
    { name: "identity_url", type: "url", fallback: "https://identity.bitwarden.com" },
    CA_FIELD,
  ],
  hasSecret: () => true,
  open(access) {
    const signedIn = onceDone(() => signIn(access));
    return {
      async read(path) {
        const session = await signedIn();
        const id = ID.test(path) ? path : await idOf(access, session, path);
        const secret = await ask<Encrypted>(access, session, path, `/secrets/${id}`);
        return textValues(readText(access, path, secret.value, session.key));
      },
    };
  },
};

interface Session {
  token: string;
  organizationId: string;
  key: BitwardenKey;
}

interface Encrypted {
  id: string;
  key: string;
  value: string;
}

async function signIn(access: SourceAccess): Promise<Session> {
  const refused = () => sourceError(access.storage, "", "no_credential");
  const text = reveal(requireCredential(access), "source").trim();
  const [, client_id, client_secret, secret] = TOKEN.exec(text) ?? [];
  if (!secret) throw refused();
  const { identity_url, ca_certificate: ca } = access.storage.params;
  const form = { grant_type: "client_credentials", scope: "api.secrets", client_id, client_secret };
  const answer = await askSource({ ...access, path: "" }, {
    url: urlBelow(identity_url, "/connect/token"),
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
    ca,
    secrets: [client_secret],
  });
  const { access_token, encrypted_payload = "" } = answerObject<SignInAnswer>(answer.text);
  requireSignedIn(access, answer, access_token);
  try {
    const ofToken = derivedKey(Uint8Array.fromBase64(secret), "accesstoken", "sm-access-token");
    const payload = JSON.parse(decrypted(encrypted_payload, bitwardenKey(ofToken)));
    return {
      token: access_token,
      organizationId: String(decodeJwt(access_token).organization),
      key: bitwardenKey(Uint8Array.fromBase64(payload.encryptionKey)),
    };
  } catch {
    throw refused();
  }
}

interface SignInAnswer {
  access_token: string;
  encrypted_payload: string;
}

/** Returns the id of the only secret with a name. Names are encrypted, too. */
async function idOf(access: SourceAccess, session: Session, path: string): Promise<string> {
  const list = `/organizations/${session.organizationId}/secrets`;
  const { secrets = [] } = await ask<{ secrets: Encrypted[] }>(access, session, path, list);
  const found = secrets.filter(({ key }) => readText(access, path, key, session.key) === path);
  if (found.length === 0) throw sourceError(access.storage, path, "missing");
  if (found.length > 1) throw sourceError(access.storage, path, "ambiguous");
  return found[0].id;
}

async function ask<T>(access: SourceAccess, { token }: Session, path: string, apiPath: string) {
  const { api_url, ca_certificate: ca } = access.storage.params;
  const answer = await askSource({ ...access, path }, {
    url: urlBelow(api_url, apiPath),
    headers: { Authorization: `Bearer ${token}` },
    ca,
    secrets: [token],
  });
  requireSuccess(access, path, answer);
  return answerObject<T>(answer.text);
}

function readText(
  { storage }: SourceAccess,
  path: string,
  text: string | undefined,
  key: BitwardenKey,
): string {
  try {
    return decrypted(text ?? "", key);
  } catch {
    throw sourceError(storage, path, "undecryptable");
  }
}
