/**
 * Reason why another server could not be reached, if an administrator can do something about it.
 */
type Cause =
  | "refused"
  | "unknown_host"
  | "no_tls"
  | "only_tls"
  | "untrusted"
  | "other_name"
  | "expired";

/** Patterns for the messages of the platform's two TLS libraries and its sockets. */
const CAUSES: [words: RegExp, cause: Cause, text: string][] = [
  [/ECONNREFUSED|connection refused/i, "refused", "connection refused, no service listens there"],
  [
    /ENOTFOUND|EAI_AGAIN|dns error|failed to lookup address/i,
    "unknown_host",
    "unknown host, the name has no address",
  ],
  [/InvalidContentType|WRONG_VERSION_NUMBER/, "no_tls", "no TLS on this port"],
  [/invalid HTTP version parsed/, "only_tls", "no plain HTTP on this port, it may want https"],
  [
    /UnknownIssuer|CaUsedAsEndEntity|self-signed|unable to (?:get|verify)/i,
    "untrusted",
    "its certificate is from an authority that is not trusted here",
  ],
  [
    /not valid for name|ALTNAME_INVALID|does not match certificate/i,
    "other_name",
    "its certificate is for another host name",
  ],
  [/certificate (?:has )?expired|Expired/i, "expired", "its certificate has expired"],
];

/**
 * Returns all messages of an error and its causes on one line, preceded by the reason in plain
 * words.
 */
export function whyOf(error: unknown): { cause: Cause | null; text: string } {
  const said: string[] = [];
  for (let one = error; one !== undefined && said.length < 5;) {
    const { message, code, cause } = one instanceof Error
      ? one as Error & { code?: unknown }
      : { message: String(one), code: undefined, cause: undefined };
    said.push(typeof code === "string" && !message.includes(code) ? `${message} ${code}` : message);
    one = cause;
  }
  const all = said.join(": ").replaceAll(/\s+/g, " ")
    .replace(/^fetch failed: error sending request .*?: (?=client error)/, "").slice(0, 500);
  const known = CAUSES.find(([words]) => words.test(all));
  return known ? { cause: known[1], text: `${known[2]} (${all})` } : { cause: null, text: all };
}
