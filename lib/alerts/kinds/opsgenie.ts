import { factLines } from "../text.ts";
import { isOver } from "../target_message.ts";
import { addressBelow, type HttpKind, postOf, shortened, withoutTags } from "./kind.ts";

const REGIONS: Record<string, string> = {
  us: "https://api.opsgenie.com",
  eu: "https://api.eu.opsgenie.com",
};
/** Limits of the service: https://docs.opsgenie.com/docs/alert-api#create-alert */
const MESSAGE_MAX = 130;
const DESCRIPTION_MAX = 15_000;
/** Characters of a detail, so that those of a message do not exceed 8,000 together. */
const DETAIL_MAX = 350;

/**
 * An integration with an API key: https://docs.opsgenie.com/docs/alert-api#create-alert and
 * https://docs.opsgenie.com/docs/alert-api#close-alert. Its pages show HTML in descriptions.
 */
export const opsgenie: HttpKind = {
  fields: [
    { name: "token", secret: true, required: true, inHeader: true },
    { name: "region", choices: Object.keys(REGIONS), fallback: "us" },
    { name: "server", type: "url" },
  ],
  request({ token, region, server }, { message }) {
    const base = server || REGIONS[region];
    const headers = { Authorization: `GenieKey ${token}` };
    const { story, project } = message;
    const title = withoutTags(message.title);
    if (isOver(message)) {
      const path = `/v2/alerts/${encodeURIComponent(story)}/close?identifierType=alias`;
      return postOf(addressBelow(base, path), { source: "Callboard", note: title }, headers);
    }
    return postOf(addressBelow(base, "/v2/alerts"), {
      message: shortened(title, MESSAGE_MAX),
      alias: story,
      description: shortened(
        [withoutTags(factLines(message)), message.url].filter(Boolean).join("\n\n"),
        DESCRIPTION_MAX,
      ),
      details: Object.fromEntries(
        message.facts.map(({ label, value }) => [
          withoutTags(label),
          shortened(withoutTags(value), DETAIL_MAX),
        ]),
      ),
      ...project && { entity: project.name },
      source: "Callboard",
      priority: message.mood === "bad" ? "P2" : "P4",
    }, headers);
  },
};
