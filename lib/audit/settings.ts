import { resolve } from "node:path";
import { conceal, type Secret } from "../base/secret.ts";
import { ConfigError, type Environment, readToken } from "../base/settings/settings.ts";
import { readCertificates } from "../base/settings/settings_file.ts";

const AUDIT_FORMATS = ["json", "splunk", "elastic"] as const;

/** Receivers of the audit log; null for one that is not set up. */
export interface AuditSettings {
  syslog: { host: string; port: number; ca: string | null } | null;
  file: string | null;
  https: {
    url: string;
    format: (typeof AUDIT_FORMATS)[number];
    token: Secret | null;
    ca: string | null;
  } | null;
}

const SYSLOG_PORT = 6514;

/** Reads the variables of the audit log. Throws ConfigError. */
export async function readAuditSettings(env: Environment): Promise<AuditSettings> {
  const caFile = env.get("CALLBOARD_AUDIT_CA_FILE");
  const ca = caFile ? await readCertificates("CALLBOARD_AUDIT_CA_FILE", caFile) : null;
  const file = env.get("CALLBOARD_AUDIT_FILE");
  return {
    syslog: readSyslog(env.get("CALLBOARD_AUDIT_SYSLOG"), ca),
    file: file ? resolve(file) : null,
    https: readHttps(env, ca),
  };
}

function readSyslog(text: string | undefined, ca: string | null): AuditSettings["syslog"] {
  if (!text) return null;
  const [, host, port] = /^tls:\/\/(\[[\da-fA-F:]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/.exec(text) ?? [];
  if (!host) throw new ConfigError("CALLBOARD_AUDIT_SYSLOG must be tls://host or tls://host:port");
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port ?? SYSLOG_PORT), ca };
}

function readHttps(env: Environment, ca: string | null): AuditSettings["https"] {
  const text = env.get("CALLBOARD_AUDIT_URL");
  if (!text) return null;
  const url = URL.parse(text);
  if (!url || url.protocol !== "https:" || url.username || url.password) {
    throw new ConfigError(
      "CALLBOARD_AUDIT_URL must be an address that begins with https://, without a password",
    );
  }
  const wanted = env.get("CALLBOARD_AUDIT_FORMAT") || "json";
  const format = AUDIT_FORMATS.find((known) => known === wanted);
  if (!format) {
    throw new ConfigError(`CALLBOARD_AUDIT_FORMAT must be ${AUDIT_FORMATS.join(", ")}`);
  }
  const token = readToken(env, "CALLBOARD_AUDIT_TOKEN");
  return { url: url.href, format, token: token === null ? null : conceal(token), ca };
}
