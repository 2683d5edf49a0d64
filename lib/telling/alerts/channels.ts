import type { Channel, ChannelKind } from "./channel.ts";
import { emailChannel } from "./email/channel.ts";
import { slackChannel } from "./slack/channel.ts";
import { telegramChannel } from "./telegram/channel.ts";
import { webhookChannel } from "./webhook/channel.ts";

export const channels: Record<ChannelKind, Channel> = {
  email: emailChannel,
  telegram: telegramChannel,
  slack: slackChannel,
  webhook: webhookChannel,
};
