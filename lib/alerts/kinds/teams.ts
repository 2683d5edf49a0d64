import { type HttpKind, markdownLink, postOf, WEBHOOK_URL } from "./kind.ts";

const COLOR = { good: "Good", bad: "Attention", question: "Warning", neutral: "Default" };

/**
 * A workflow of Teams that posts to a channel when a webhook request is received. It takes an
 * Adaptive Card in a message:
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
export const teams: HttpKind = {
  fields: [WEBHOOK_URL],
  request: ({ url }, { message: { title, mood, facts, url: link } }) =>
    postOf(url, {
      type: "message",
      attachments: [{
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            {
              type: "TextBlock",
              text: title,
              size: "Large",
              weight: "Bolder",
              wrap: true,
              color: COLOR[mood],
            },
            {
              type: "FactSet",
              facts: facts.map(({ label, value, url }) => ({
                title: label,
                value: markdownLink(value, url),
              })),
            },
          ],
          ...link && { actions: [{ type: "Action.OpenUrl", title: "Callboard", url: link }] },
        },
      }],
    }),
};
