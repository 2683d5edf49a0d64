import { alertJobs } from "../events/notices.ts";
import type { JobKind } from "../jobs/kind.ts";
import type { AlertMessage } from "./message.ts";
import { digestJobs, messageJobs, runnerCallJobs } from "./outbox.ts";
import type { TargetMessage } from "./target_message.ts";
import { channelId } from "./targets/settings_targets.ts";

/** A message to a channel of the environment, as earlier versions have stored it. */
interface FormerDelivery {
  project_id: number | null;
  channel: string;
  target: string;
  message: AlertMessage;
}

/** A message to all people of a target. */
interface FormerMails {
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

/** The kind of a job, and what it is asked for. */
interface Asked {
  kind: JobKind<object>;
  input: object;
}

const asked = <Input extends object>(kind: JobKind<Input>, input: Input): Asked => ({
  kind: kind as unknown as JobKind<object>,
  input,
});

/** Returns the job for a row of the alerts of an earlier version. It is sent as it is. */
export function alertJobOf(
  // deno-lint-ignore no-explicit-any -- rows of earlier versions
  row: any,
  key: Deno.KvKey,
): Asked {
  const { kind, attempts: _, busy: __, failures: ___, ...input } = row;
  switch (kind) {
    case "digest":
      return asked(digestJobs, input);
    case "runner":
      return asked(runnerCallJobs, input);
    case "target":
      return asked(messageJobs, input);
    case "delivery":
      return asked(messageJobs, messageOf(input, key));
    case "mails": {
      const { message, ...to } = input as FormerMails;
      return asked(alertJobs, { kind: "routed", about: { message }, ...to } as never);
    }
    default:
      return asked(alertJobs, { kind, ...input });
  }
}

function messageOf({ project_id, channel, target, message }: FormerDelivery, key: Deno.KvKey) {
  const [, at, unique] = key as string[];
  const log = { place: 0, target_id: channelId(channel)!, at, unique };
  return {
    project_id,
    to: target,
    message: {
      ...message,
      event: message.runner ? "runner_lost" as const : EVENTS[message.mood],
      story: "",
    },
    log: project_id === null ? log : { ...log, also: project_id },
  };
}
