import * as z from "zod";
import { askJson, fetchFromProvider } from "./ask.ts";
import { providerStep, SignInFailure } from "./failure.ts";
import type { ProviderClaims } from "./client.ts";
import type { Metadata, Provider } from "./provider.ts";

const emails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);
const teams = z.array(
  z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }),
);

/**
 * Returns the identity that GitHub reports. GitHub has no ID tokens, so the identity is the answer
 * of its API to the access token, which came directly from GitHub. Groups are organizations and
 * teams, as `organization` and `organization/team`.
 */
export async function askGitHub(
  { ca }: Provider,
  { server }: Metadata,
  accessToken: string,
): Promise<ProviderClaims> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const api = server.userinfo_endpoint!;
  const user = await providerStep(
    "/user",
    "endpoint.userinfo",
    () => askJson(`${api}/user`, { headers, ca }),
  );
  if (typeof user.id !== "number") throw new SignInFailure("untrusted", "/user has no id");
  const list = async <T extends z.ZodType>(path: string, schema: T) => {
    const { status, text } = await fetchFromProvider(`${api}${path}`, { headers, ca });
    // Without the required scope there is no list.
    return status === 200 ? schema.safeParse(jsonOf(text)).data : undefined;
  };
  const address = (await list("/user/emails", emails))?.find(({ primary }) => primary);
  const groups = await list("/user/teams?per_page=100", teams) ?? [];
  return {
    issuer: server.issuer,
    subject: String(user.id),
    claims: {
      login: user.login,
      name: user.name,
      email: address?.email,
      email_verified: address?.verified,
      groups: groups.flatMap(({ slug, organization: { login } }) => [login, `${login}/${slug}`]),
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
