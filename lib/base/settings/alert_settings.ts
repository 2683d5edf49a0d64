import { hasControl } from "../text/control.ts";
import { type Network, parseNetwork } from "../network.ts";

/** Destinations of alerts on this server; null for a channel that is not set up. */
export interface AlertSettings {
  /** `smtp://user:password@host:587` (STARTTLS), or `smtps://…`. */
  smtpUrl: string | null;
  /** Sender of mails, such as `Callboard <callboard@example.com>`. */
  smtpFrom: string | null;
  telegramToken: string | null;
  /** Default chat for projects that do not set their own. */
  telegramChat: string | null;
  /** Base URL of Telegram's API. It can point to a self-hosted API server. */
  telegramUrl: string;
  /**
   * An incoming webhook of Slack, or of Mattermost, Rocket.Chat and others with the same format.
   */
  slackUrl: string | null;
  webhookUrl: string | null;
  /** Signs the requests to `webhookUrl`. */
  webhookSecret: string | null;
  /** Receives a call when a task waits for a runner that does not exist, so that one is started. */
  runnerWebhookUrl: string | null;
  runnerWebhookSecret: string | null;
  /** Private networks that all targets may be in. */
  networks: readonly Network[];
}

/**
 * Reads the variables for alerts. Calls `invalid` with the name of an unusable variable and the
 * reason.
 */
export function readAlertSettings(
  get: (name: string) => string | undefined,
  invalid: (name: string, must: string) => never,
): AlertSettings {
  const text = (name: string) => get(name)?.trim() || null;
  const url = (name: string, protocols: string[]) => {
    const value = text(name);
    if (value === null || protocols.includes(URL.parse(value)?.protocol ?? "")) return value;
    // The value may hold a password, so the message does not repeat it.
    return invalid(name, `must be an address that begins with ${protocols.join("// or ")}//`);
  };
  const mailUrl = (name: string) => {
    const value = url(name, ["smtp:", "smtps:"]);
    if (value === null || isSendable(new URL(value))) return value;
    return invalid(name, "must have a login and password with %25 for %, and on one line");
  };
  const word = (name: string) => {
    const value = text(name);
    // The token of a bot is a part of the address of its requests.
    return value === null || /^[\w:-]+$/.test(value) ? value : invalid(name, "must be one word");
  };
  const networks = (name: string) =>
    (text(name)?.split(/[\s,]+/) ?? []).map((part) =>
      parseNetwork(part) ?? invalid(name, "must list networks such as 10.1.0.0/16")
    );
  return {
    smtpUrl: mailUrl("CALLBOARD_SMTP_URL"),
    smtpFrom: text("CALLBOARD_SMTP_FROM"),
    telegramToken: word("CALLBOARD_TELEGRAM_TOKEN"),
    telegramChat: text("CALLBOARD_TELEGRAM_CHAT"),
    telegramUrl: url("CALLBOARD_TELEGRAM_URL", ["https:", "http:"]) ?? "https://api.telegram.org",
    slackUrl: url("CALLBOARD_SLACK_URL", ["https:", "http:"]),
    webhookUrl: url("CALLBOARD_WEBHOOK_URL", ["https:", "http:"]),
    webhookSecret: text("CALLBOARD_WEBHOOK_SECRET"),
    runnerWebhookUrl: url("CALLBOARD_RUNNER_WEBHOOK", ["https:", "http:"]),
    runnerWebhookSecret: text("CALLBOARD_RUNNER_WEBHOOK_SECRET"),
    networks: networks("CALLBOARD_ALERT_NETWORKS"),
  };
}

/** Whether the login and the password of an address can be decoded, and are lines of a protocol. */
function isSendable({ username, password }: URL): boolean {
  try {
    return !hasControl(decodeURIComponent(username) + decodeURIComponent(password));
  } catch {
    return false;
  }
}
