import { isOver } from "../target_message.ts";
import { type HttpKind, postOf, shortened } from "./kind.ts";

const SEVERITIES = { good: "info", bad: "error", question: "warning", neutral: "info" };
const REGIONS: Record<string, string> = {
  us: "https://events.pagerduty.com",
  eu: "https://events.eu.pagerduty.com",
};
const SUMMARY_MAX = 1024;

/**
 * An integration of a service, through the Events API v2:
 * https://developer.pagerduty.com/docs/send-alert-event
 */
export const pagerduty: HttpKind = {
  fields: [
    { name: "token", secret: true, required: true },
    { name: "region", choices: Object.keys(REGIONS), fallback: "us" },
    { name: "server", type: "url" },
  ],
  request: ({ token, region, server }, { message }) =>
    postOf(new URL("/v2/enqueue", server || REGIONS[region]).href, {
      routing_key: token,
      event_action: isOver(message) ? "resolve" : "trigger",
      dedup_key: message.story,
      payload: {
        summary: shortened(message.title, SUMMARY_MAX),
        source: message.project?.name ?? "Callboard",
        severity: SEVERITIES[message.mood],
        custom_details: Object.fromEntries(message.facts.map(({ label, value }) => [label, value])),
      },
      ...message.url && {
        links: [
          { href: message.url, text: "Callboard" },
          ...message.host?.url ? [{ href: message.host.url, text: message.host.name }] : [],
        ],
      },
    }),
};
