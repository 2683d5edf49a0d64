import { inLimit } from "../../base/time/abort.ts";
import { whyOf } from "../../base/why.ts";
import { translator } from "../../i18n/translate.ts";
import type { AlertSettings } from "../../base/settings/alert_settings.ts";
import type { SendResult } from "../send_result.ts";
import { openTransport, sendMail, withoutPassword } from "./send_mail.ts";

/** Less than the time limit of a check. */
const LIMIT_MS = 8_000;

/** Why mails cannot be sent, by the step that failed. */
interface MailFailure {
  step: "unreachable" | "tls" | "login";
  why: string;
}

/**
 * Connects to the mail server, encrypts and signs in, but sends nothing. Returns null if all of it
 * works.
 */
export async function tryMailServer(
  settings: AlertSettings,
  limitMs = LIMIT_MS,
): Promise<MailFailure | null> {
  const transport = await openTransport(settings.smtpUrl!, limitMs);
  try {
    await inLimit(transport.verify(), limitMs, () => new Error("no answer in time"));
    return null;
  } catch (error) {
    const { code } = error as { code?: string };
    const { cause, text } = whyOf(error);
    const why = withoutPassword(text, settings);
    if (code === "EAUTH" || code === "ENOAUTH") return { step: "login", why };
    const isTls = code === "ETLS" ||
      (cause !== null && !["refused", "unknown_host"].includes(cause));
    return { step: isTls ? "tls" : "unreachable", why };
  } finally {
    transport.close();
  }
}

/** Sends a message that tests the mail server to an address, in English. */
export function sendTestMail(settings: AlertSettings, address: string): Promise<SendResult> {
  return sendMail(settings, address, {
    title: translator("en")("alerts.title.test"),
    mood: "neutral",
    facts: [],
    url: null,
    project: { id: 0, name: "Callboard" },
    task: null,
  });
}
