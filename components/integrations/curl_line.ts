import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";

const BODY = "'{}'";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const SIGNED = {
  github: { hash: "sha256", header: "X-Hub-Signature-256" },
  bitbucket: { hash: "sha256", header: "X-Hub-Signature" },
  hmac: { hash: "sha256", header: null },
  "hmac-sha512": { hash: "sha512", header: null },
} as const;

/**
 * Returns a command line that calls an address as the integration wants it. Secrets are variables
 * of the shell.
 */
export function curlLine(
  url: string,
  { auth_method, auth_header }: Pick<IntegrationView, "auth_method" | "auth_header">,
): string {
  const proof = proofOf(auth_method, auth_header);
  return ["curl", ...proof, "-H 'Content-Type: application/json'", `-d ${BODY}`, quoted(url)]
    .join(" ");
}

function proofOf(method: IntegrationView["auth_method"], header: string): string[] {
  switch (method) {
    case "":
    case "none":
      return [];
    case "basic":
      return ['-u "$LOGIN:$PASSWORD"'];
    case "token":
      return [`-H ${quoted(`${header}: `)}"$TOKEN"`];
    default: {
      const { hash, header: fixed } = SIGNED[method];
      const digest = `printf %s ${BODY} | openssl dgst -${hash} -hmac "$SECRET" -r | cut -d' ' -f1`;
      return [`-H ${quoted(`${fixed ?? header}: ${hash}=`)}"$(${digest})"`];
    }
  }
}
