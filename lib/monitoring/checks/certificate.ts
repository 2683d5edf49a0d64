import { connect } from "node:tls";
import ipaddr from "ipaddr.js";
import { after } from "../../base/time/after.ts";
import type { Clock } from "../../base/time/clock.ts";
import { whyOf } from "../../base/why.ts";
import { type Finding, fine, problem } from "./finding.ts";

const LIMIT_MS = 4_000;
const DAY_MS = 24 * 60 * 60_000;
/** Automatic renewal has failed for weeks if fewer days remain. */
const DAYS_MIN = 14;

/** Checks the certificate of an https address. An address that does not respond has no finding. */
export async function checkCertificate(
  url: URL,
  { now }: Pick<Clock, "now">,
): Promise<Finding[]> {
  if (url.protocol !== "https:") return [];
  const seen = await readCertificate(url).catch(() => null);
  if (!seen) return [];
  const days = Math.floor((seen.until.getTime() - now().getTime()) / DAY_MS);
  const since = seen.until.toISOString();
  if (days < 0) return [problem("failed", "doctor.certificate.expired", { since })];
  const { cause, text } = whyOf(seen.error ?? "");
  if (cause === "other_name") return [problem("failed", "doctor.certificate.name", { why: text })];
  const wrong = days < DAYS_MIN
    ? [problem("warning", "doctor.certificate.expires", { since })]
    : [];
  // Browsers of an organization may trust its own authority, and this process may not.
  if (seen.error) wrong.push(problem("warning", "doctor.certificate.untrusted", { why: text }));
  return wrong.length > 0 ? wrong : [fine("doctor.certificate.valid", { since })];
}

function readCertificate({ hostname, port }: URL): Promise<{ until: Date; error: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ until: Date; error: unknown }>();
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: ipaddr.isValid(host) ? undefined : host,
    rejectUnauthorized: false,
  }, () => {
    const { valid_to } = socket.getPeerCertificate();
    resolve({
      until: new Date(valid_to),
      error: socket.authorized ? null : socket.authorizationError,
    });
  });
  socket.on("error", reject);
  const release = after(LIMIT_MS, () => reject(new Error("no answer in time")));
  return promise.finally(() => {
    release();
    socket.destroy();
  });
}
