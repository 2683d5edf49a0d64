import type { ProjectScope } from "../../access/scope.ts";
import { conflict } from "../../base/errors.ts";
import { getUser } from "../../people/users/repository.ts";
import type { ChannelKind } from "./channel.ts";
import { channels } from "./channels.ts";
import { testMessage } from "./message.ts";
import type { TestResult } from "./schema.ts";

/** Sends a test message by every channel that is set up, and answers what each one said. */
export async function sendTestAlert(
  { deps, actor, project }: ProjectScope<"update_project">,
): Promise<TestResult[]> {
  const { alerts } = deps.config;
  const targets: Record<ChannelKind, string | null> = {
    email: actor.kind === "user" ? (await getUser(deps.kv, actor.id)).email : null,
    telegram: project.alert_chat || alerts.telegramChat,
    slack: "",
    webhook: "",
  };
  const chosen = Object.values(channels).filter(({ kind, isSetUp }) =>
    isSetUp(alerts) && targets[kind] !== null
  );
  if (chosen.length === 0) throw conflict("errors.alerts.no_channel");
  const message = testMessage(deps.config, project);
  return await Promise.all(chosen.map(async ({ kind, send }) => {
    const result = await send(alerts, targets[kind]!, message);
    return { channel: kind, ok: result.ok, reason: result.ok ? null : result.reason };
  }));
}
