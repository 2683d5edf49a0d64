import { factLines } from "../text.ts";
import { addressBelow, type HttpKind, postOf } from "./kind.ts";

/**
 * An application: https://gotify.net/docs/pushmsg with the link of a notification:
 * https://gotify.net/docs/msgextras
 */
export const gotify: HttpKind = {
  fields: [
    { name: "server", type: "url", required: true },
    { name: "token", secret: true, required: true, inHeader: true },
  ],
  request: ({ server, token }, { message }) =>
    postOf(addressBelow(server, "/message"), {
      title: message.title,
      message: factLines(message) || message.title,
      priority: message.mood === "bad" ? 8 : 4,
      ...message.url && {
        extras: { "client::notification": { click: { url: message.url } } },
      },
    }, { "X-Gotify-Key": token }),
};
