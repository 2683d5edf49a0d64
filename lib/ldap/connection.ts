import ipaddr from "ipaddr.js";
import { Client } from "ldapts";
import { reveal } from "../base/secret.ts";
import type { LdapSettings } from "./settings.ts";
import { directoryStep } from "./step.ts";

/** Longest wait for a connection, and for each answer. */
export const TIME_LIMIT_MS = 5_000;

/**
 * Runs `ask` with a connection that is bound as the reader of the settings. Throws a
 * DirectoryFailure.
 */
export async function asReader<T>(
  settings: LdapSettings,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const { url, startTls, bind } = settings;
  const client = new Client({
    url,
    timeout: TIME_LIMIT_MS,
    connectTimeout: TIME_LIMIT_MS,
    // With any options, the client would start with TLS instead of asking for it.
    tlsOptions: url.startsWith("ldaps:") ? tlsOptionsOf(settings) : undefined,
  });
  try {
    if (startTls) {
      const names = "CALLBOARD_LDAP_URL, CALLBOARD_LDAP_START_TLS";
      await directoryStep("StartTLS", names, () => client.startTLS(tlsOptionsOf(settings)));
    }
    if (bind) {
      const names = "CALLBOARD_LDAP_BIND_DN, CALLBOARD_LDAP_BIND_PASSWORD";
      await directoryStep(
        "bind of the reader",
        names,
        () => client.bind(bind.dn, reveal(bind.password, "provider")),
      );
    }
    return await ask(client);
  } finally {
    await client.unbind().catch(() => {});
  }
}

/**
 * Returns the TLS options with the host that the certificate must name and the CA that is trusted.
 */
function tlsOptionsOf({ url, ca }: LdapSettings) {
  const host = new URL(url.replace(/^ldaps?:/, "http:")).hostname.replace(/^\[|\]$/g, "");
  const servername = ipaddr.isValid(host) ? undefined : host;
  return { host, servername, ...ca !== null && { ca } };
}
