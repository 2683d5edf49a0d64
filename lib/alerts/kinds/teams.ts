import { type HttpKind, postOf, WEBHOOK_URL } from "./kind.ts";

const COLOR = { good: "Good", bad: "Attention", question: "Warning", neutral: "Default" };

/**
 * A text without Markdown, which `TextBlock` and `FactSet` would read:
 * https://learn.microsoft.com/en-us/adaptive-cards/create/textfeatures
 * Only its functions for dates, such as `{{DATE(…)}}`, are left.
 */
const run = (text: string, more: object = {}) => ({
  type: "TextRun",
  text: text.replaceAll("{{", "{\u2060{"),
  ...more,
});

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
              type: "RichTextBlock",
              inlines: [run(title, { size: "Large", weight: "Bolder", color: COLOR[mood] })],
            },
            ...facts.map(({ label, value, url }) => ({
              type: "RichTextBlock",
              spacing: "Small",
              inlines: [
                run(`${label}: `, { weight: "Bolder" }),
                run(value, url ? { selectAction: { type: "Action.OpenUrl", url } } : {}),
              ],
            })),
          ],
          ...link && { actions: [{ type: "Action.OpenUrl", title: "Callboard", url: link }] },
        },
      }],
    }),
};
