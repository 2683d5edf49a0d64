import { createHmac } from "node:crypto";
import type { TargetMessage } from "../target_message.ts";

/** A field that a kind of target adds to the form. */
export interface KindField {
  name: string;
  /** A secret is stored encrypted, and no answer contains it. */
  secret?: boolean;
  required?: boolean;
  /** Whether it is sent in a header. */
  inHeader?: boolean;
  type?: "text" | "url" | "area";
  choices?: readonly string[];
  /** Value of a field that was left empty. */
  fallback?: string;
}

/** Values of a target's fields, by their names. Those that were left empty have their fallback. */
type KindValues = Readonly<Record<string, string>>;

export interface OutgoingRequest {
  url: string;
  method: "POST" | "PUT";
  headers: Record<string, string>;
  body: string;
}

/** A message on its way to a target. */
interface Outgoing {
  message: TargetMessage;
  /** The same for each attempt, and different for each message. */
  id: string;
}

/** A service or an endpoint that receives messages over HTTP. */
export interface HttpKind {
  fields: readonly KindField[];
  request(values: KindValues, outgoing: Outgoing): OutgoingRequest;
}

/** The address of an incoming webhook, which is as secret as a password. */
export const WEBHOOK_URL: KindField = { name: "url", type: "url", secret: true, required: true };

/** Returns a POST of JSON. */
export const postOf = (
  url: string,
  body: object,
  headers: Record<string, string> = {},
): OutgoingRequest => ({
  url,
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** Returns the header that proves to a receiver with the secret who has sent a body. */
export const signatureOf = (secret: string | null, body: string): Record<string, string> =>
  secret
    ? {
      "X-Callboard-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    }
    : {};

/** Returns an address below a base address that may end with a slash. */
export const addressBelow = (base: string, path: string): string =>
  base.replace(/(?<!\/)\/+$/, "") + path;

/** An invisible character at which no line breaks, and which ends whatever markup it stands in. */
const JOINER = "\u2060";

/** Returns a text in which `@all` and the like call no one. Addresses of mail stay as they are. */
export const withoutMentions = (text: string): string =>
  text.replace(/(?<![\w.+-])@(?=\S)/g, `@${JOINER}`);

/** Returns a text in which no HTML begins, for services that show tags and do not read entities. */
export const withoutTags = (text: string): string => text.replace(/[<&](?=\S)/g, `$&${JOINER}`);

/** Characters of markup without an escape, and characters that look like them. */
const ALIKE: Record<string, string> = {
  "*": "∗",
  "_": "ˍ",
  "~": "∼",
  "`": "ˋ",
  "|": "¦",
  "$": "＄",
  "\\": "＼",
};

/** Begins a heading, a quote or a list. */
const BLOCK = /^(?:[#>-]|\d+\.)/;

/**
 * Returns a text as plain text for a service whose markup has no escapes: mentions, channels,
 * links, emojis and headings are cut by an invisible character.
 */
export const withoutMarkup = (text: string): string =>
  withoutMentions(text)
    .replace(/[*_~`|$\\]/g, (character) => ALIKE[character])
    .replace(/^.+/gm, (line) => BLOCK.test(line.trimStart()) ? JOINER + line : line)
    .replace(/#(?=\S)|[<!](?=\S)|](?=\()|:(?=[\w+/-])/g, `$&${JOINER}`);

/** Returns a text of Markdown as a link, if there is an address and both fit. */
export function markdownLink(text: string, url: string | undefined, max = Infinity): string {
  const link = url && `[${text}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  return link && link.length <= max ? link : text;
}

/** Returns a text that is not longer than a service accepts. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;
