import net, { type Socket } from "node:net";
import tls from "node:tls";
import ipaddr from "ipaddr.js";
import { Client } from "ldapts";
import { inLimit } from "../base/time/abort.ts";
import { reveal } from "../base/secret.ts";
import { DirectoryFailure } from "./failure.ts";
import type { LdapSettings } from "./settings.ts";
import { directoryStep } from "./step.ts";

/** Longest wait for a connection, and for each answer. */
export const TIME_LIMIT_MS = 5_000;
/** Longest wait for all of it. The client has no limit for TLS, and none against drops of bytes. */
const ALL_MS = 15_000;

/**
 * Runs `ask` with a connection that is bound as the reader of the settings. Throws a
 * DirectoryFailure. Nothing of it goes on after its time limit.
 */
export async function asReader<T>(
  settings: LdapSettings,
  ask: (client: Client) => Promise<T>,
  limitMs = ALL_MS,
): Promise<T> {
  const sockets = new Set<Socket>();
  const late = () => new DirectoryFailure("away", "no answer in time; see CALLBOARD_LDAP_URL");
  try {
    return await inLimit(connectAndAsk(settings, sockets, ask), limitMs, late);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function connectAndAsk<T>(
  settings: LdapSettings,
  sockets: Set<Socket>,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const { url, startTls, bind } = settings;
  const held = <A extends unknown[], S extends Socket>(open: (...args: A) => S) => (...args: A) => {
    const socket = open(...args);
    sockets.add(socket);
    return socket;
  };
  const client = new Client({
    url,
    timeout: TIME_LIMIT_MS,
    connectTimeout: TIME_LIMIT_MS,
    createConnection: held(net.connect as (...args: unknown[]) => Socket) as typeof net.connect,
    createSecureConnection: held(
      tls.connect as (...args: unknown[]) => Socket,
    ) as typeof tls.connect,
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
