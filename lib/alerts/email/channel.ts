import { type Channel, SEND_MS_MAX, type SendResult } from "../channel.ts";
import { escapeHtml } from "../escape_html.ts";
import { type AlertMessage, plainText } from "../message.ts";
import { isOneAddress } from "../../people/users/email.ts";
import type { AlertSettings } from "../../base/alert_settings.ts";

/** A mail to one person, by the administrator's mail server. */
export const emailChannel: Channel = {
  kind: "email",
  isSetUp: ({ smtpUrl }) => smtpUrl !== null,
  async send(settings, address, message): Promise<SendResult> {
    // The library would take a list of them, and names.
    if (!isOneAddress(address)) {
      return { ok: false, reason: { key: "errors.email" }, retry: false };
    }
    // Only loaded when there is a mail to send: it takes 10 MB.
    // @ts-types="npm:@types/nodemailer@8.0.2"
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(transportOptions(settings.smtpUrl!));
    try {
      await transport.sendMail({
        from: settings.smtpFrom ?? `Callboard <callboard@${new URL(settings.smtpUrl!).hostname}>`,
        to: { name: "", address },
        subject: subjectOf(message),
        text: plainText(message),
        html: htmlOf(message),
        headers: { "Auto-Submitted": "auto-generated" },
        // Nothing of a message may name a file or an address to read from.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { ok: true };
    } catch (error) {
      return refusal(error, settings);
    } finally {
      transport.close();
    }
  },
};

function transportOptions(smtpUrl: string) {
  const url = new URL(smtpUrl);
  // A password must not go over the network in clear; `?requireTLS=false` says that it may.
  if (url.protocol === "smtp:" && url.password !== "" && !url.searchParams.has("requireTLS")) {
    url.searchParams.set("requireTLS", "true");
  }
  const timeouts = { connectionTimeout: SEND_MS_MAX, greetingTimeout: SEND_MS_MAX };
  return { url: url.href, ...timeouts, socketTimeout: SEND_MS_MAX };
}

interface SmtpError extends Error {
  responseCode?: number;
}

function refusal(error: unknown, { smtpUrl }: AlertSettings): SendResult {
  const { message, responseCode } = error as SmtpError;
  const password = decodeURIComponent(new URL(smtpUrl!).password);
  const reason = password ? message.replaceAll(password, "…") : message;
  // 5xx is the mail server's word for "never"; anything else may pass.
  return { ok: false, reason, retry: !(responseCode && responseCode >= 500) };
}

/** One line: a name with a line break must not become a header. */
const subjectOf = ({ title, project }: AlertMessage) =>
  `${project.name}: ${title}`.replace(/\s+/g, " ").slice(0, 200);

function htmlOf({ title, facts, url }: AlertMessage): string {
  const rows = facts.map(({ label, value }) =>
    `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`
  );
  const link = url ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : "";
  return `<!doctype html><html><body><h1>${escapeHtml(title)}</h1>` +
    `<table>${rows.join("")}</table>${link}</body></html>`;
}
