import type { ProjectScope } from "../access/scope.ts";
import { conflict } from "../base/errors.ts";
import { getUserRow } from "../model/accounts.ts";
import { channels } from "./channels.ts";
import { testMessage } from "./message.ts";
import { CHAT_LANGUAGE, languageOf } from "./recipients.ts";
import type { ChannelState, TestResult } from "./schema.ts";

/** Returns all channels, and whether they can send alerts of the project. */
export const listChannels = (
  { deps: { config: { alerts } }, project }: ProjectScope,
): ChannelState[] =>
  Object.values(channels).map(({ kind: channel, isSetUp, target }) => {
    if (!isSetUp(alerts)) return { channel, state: "missing" };
    return { channel, state: target?.(alerts, project) === null ? "no_target" : "ready" };
  });

/** Sends a test message through every configured channel, and returns the result of each. */
export async function sendTestAlert(
  { deps, actor, project }: ProjectScope<"update_project">,
): Promise<TestResult[]> {
  const { alerts } = deps.config;
  const user = actor.kind === "user" ? await getUserRow(deps.kv, actor.id) : null;
  const chosen = Object.values(channels).filter(({ isSetUp }) => isSetUp(alerts))
    .map((channel) => ({
      ...channel,
      to: channel.target ? channel.target(alerts, project) : user?.email ?? null,
    }))
    .filter(({ to }) => to !== null);
  if (chosen.length === 0) throw conflict("errors.alerts.no_channel");
  return await Promise.all(chosen.map(async ({ kind, send, target, to }) => {
    const language = user && !target ? languageOf(user) : CHAT_LANGUAGE;
    const result = await send(alerts, to!, testMessage(deps.config, project, language));
    return { channel: kind, ok: result.ok, reason: result.ok ? null : result.reason };
  }));
}
