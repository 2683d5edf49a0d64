import type { AlertMessage } from "./message.ts";
import type { AlertRow } from "./outbox.ts";
import type { TargetMessage } from "./target_message.ts";
import { channelId } from "./targets/settings_targets.ts";

/** A message to a channel of the environment, as earlier versions have stored it. */
interface FormerDelivery {
  kind: "delivery";
  project_id: number | null;
  channel: string;
  target: string;
  message: AlertMessage;
  attempts: number;
  busy?: number;
}

/** A message to all people of a target. */
interface FormerMails {
  kind: "mails";
  project_id: number | null;
  place: number;
  target_id: number;
  message: TargetMessage;
}

const EVENTS = {
  good: "succeeded",
  bad: "failed",
  question: "waiting",
  neutral: "succeeded",
} as const;

/** Returns an alert in today's form. One that an earlier version has stored is sent as it is. */
export function renewed(
  { key, value: row }: Deno.KvEntry<AlertRow | FormerDelivery | FormerMails>,
): AlertRow {
  if (row.kind === "mails") {
    const { project_id, place, target_id, message } = row;
    return { kind: "routed", project_id, about: { message }, place, target_id };
  }
  if (row.kind !== "delivery") return row;
  const { channel, target, message, project_id, ...attempts } = row;
  const [, at, unique] = key as string[];
  const log = { place: 0, target_id: channelId(channel)!, at, unique };
  return {
    ...attempts,
    kind: "target",
    project_id,
    to: target,
    message: {
      ...message,
      event: message.runner ? "runner_lost" : EVENTS[message.mood],
      story: "",
    },
    log: project_id === null ? log : { ...log, also: project_id },
  };
}
