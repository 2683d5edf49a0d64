import type { Channel } from "./channel.ts";
import { emailChannel } from "./email/channel.ts";
import type { ChannelKind } from "./schema.ts";
import { slackChannel } from "./slack/channel.ts";
import { telegramChannel } from "./telegram/channel.ts";
import { webhookChannel } from "./webhook/channel.ts";

export const channels: Record<ChannelKind, Channel> = {
  email: emailChannel,
  telegram: telegramChannel,
  slack: slackChannel,
  webhook: webhookChannel,
};
