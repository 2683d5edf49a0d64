import { reveal } from "../../base/secret.ts";
import {
  answerObject,
  encodedPath,
  onceDone,
  requireCredential,
  requireSignedIn,
  requireSuccess,
  urlBelow,
  valuesIn,
} from "./answers.ts";
import type { SourceAccess, SourceKind } from "./kind.ts";
import { askSource } from "./request.ts";

/**
 * Azure Key Vault: https://learn.microsoft.com/rest/api/keyvault/secrets/get-secret. A path is the
 * name of a secret, or name/version. Microsoft Entra issues the token for a client secret.
 */
export const azure: SourceKind = {
  fields: [
    { name: "vault_url", type: "url", required: true },
    { name: "tenant_id", required: true },
    { name: "client_id", required: true },
    // Sovereign clouds have others.
    { name: "authority", type: "url", fallback: "https://login.microsoftonline.com" },
    { name: "scope", fallback: "https://vault.azure.net/.default" },
  ],
  hasSecret: () => true,
  open(access) {
    const tokenOf = onceDone(() => signIn(access));
    return {
      async read(path) {
        const token = await tokenOf();
        const url = urlBelow(access.storage.params.vault_url, `/secrets/${encodedPath(path)}`);
        const answer = await askSource({ ...access, path }, {
          url: `${url}?api-version=${API_VERSION}`,
          headers: { Authorization: `Bearer ${token}` },
          secrets: [token],
        });
        requireSuccess(access, path, answer);
        return valuesIn(answerObject<{ value: string }>(answer.text).value);
      },
    };
  },
};

const API_VERSION = "7.4";

async function signIn(access: SourceAccess): Promise<string> {
  const { tenant_id, client_id, authority, scope } = access.storage.params;
  const client_secret = reveal(requireCredential(access), "source");
  const answer = await askSource({ ...access, path: "" }, {
    url: urlBelow(authority, `/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`),
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret, scope })
      .toString(),
    secrets: [client_secret],
  });
  const { access_token } = answerObject<{ access_token: string }>(answer.text);
  requireSignedIn(access, answer, access_token);
  return access_token;
}
