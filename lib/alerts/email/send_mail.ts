import { inLimit } from "../../base/time/abort.ts";
import { NOT_SET_UP, SEND_MS_MAX, type SendResult } from "../send_result.ts";
import type { AlertMessage } from "../message.ts";
import { escapeHtml, htmlLink, plainMessage } from "../text.ts";
import { isOneAddress } from "../../people/users/schema.ts";
import type { AlertSettings } from "../../base/settings/alert_settings.ts";

/**
 * Sends one mail to one person through the administrator's mail server, within a time limit,
 * whatever that server does.
 */
export async function sendMail(
  settings: AlertSettings,
  address: string,
  message: AlertMessage,
  limitMs = SEND_MS_MAX,
): Promise<SendResult> {
  if (settings.smtpUrl === null) return NOT_SET_UP;
  // The library would also accept names and a list of addresses.
  if (!isOneAddress(address)) {
    return { ok: false, reason: { key: "errors.email" }, retry: false };
  }
  const transport = await openTransport(settings.smtpUrl, limitMs);
  const gone = new AbortController();
  try {
    const sending = transport.sendMail({
      // Without it, the library would go on as long as the server says something.
      signal: gone.signal,
      from: settings.smtpFrom ?? `Callboard <callboard@${new URL(settings.smtpUrl).hostname}>`,
      to: { name: "", address },
      subject: subjectOf(message),
      text: plainMessage(message),
      html: htmlOf(message),
      headers: { "Auto-Submitted": "auto-generated" },
      // A message must not refer to files or addresses to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await inLimit(sending, limitMs, () => new Error("no answer in time"));
    return { ok: true };
  } catch (error) {
    return refusal(error, settings);
  } finally {
    gone.abort();
    transport.close();
  }
}

/** Returns a connection to the mail server, which is made when it is used. */
export async function openTransport(smtpUrl: string, limitMs: number) {
  // Loaded only when there is a mail to send, because it takes 10 MB.
  const { createTransport } = await import("nodemailer");
  return createTransport(transportOptions(smtpUrl, limitMs));
}

/** Time for a mail server to end its half of the connection. */
const CLOSE_MS_MAX = 1_000;

function transportOptions(smtpUrl: string, limitMs: number) {
  const url = new URL(smtpUrl);
  // A password must not be sent unencrypted, unless `?requireTLS=false` allows it.
  if (url.protocol === "smtp:" && url.password !== "" && !url.searchParams.has("requireTLS")) {
    url.searchParams.set("requireTLS", "true");
  }
  const timeouts = {
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    socketCloseTimeout: CLOSE_MS_MAX,
  };
  return { url: url.href, ...timeouts };
}

interface SmtpError extends Error {
  responseCode?: number;
}

function refusal(error: unknown, settings: AlertSettings): SendResult {
  const { message, responseCode } = error as SmtpError;
  const reason = withoutPassword(message, settings);
  // A mail server responds 5xx for permanent errors. Others may be temporary.
  return { ok: false, reason, retry: !(responseCode && responseCode >= 500) };
}

/** Returns a mail server's message without the password that it may repeat. */
export function withoutPassword(message: string, { smtpUrl }: AlertSettings): string {
  const password = decodeURIComponent(new URL(smtpUrl!).password);
  return password ? message.replaceAll(password, "…") : message;
}

/** Returns one line, because a line break in a name must not start a header. */
const subjectOf = ({ title, project }: AlertMessage) =>
  `${project?.name ?? "Callboard"}: ${title}`.toWellFormed().replace(/[\s\p{Cc}]+/gu, " ")
    .slice(0, 200);

function htmlOf({ title, facts, url }: AlertMessage): string {
  const rows = facts.map(({ label, value, url }) =>
    `<tr><th align="left">${escapeHtml(label)}</th><td>${htmlLink(value, url)}</td></tr>`
  );
  const link = url ? `<p>${htmlLink(url, url)}</p>` : "";
  return `<!doctype html><html><body><h1>${escapeHtml(title)}</h1>` +
    `<table>${rows.join("")}</table>${link}</body></html>`;
}
