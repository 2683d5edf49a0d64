import { factLines } from "../text.ts";
import { type HttpKind, postOf, shortened } from "./kind.ts";

/** Limits of the service: https://pushover.net/api#limits */
const TITLE_MAX = 250;
const MESSAGE_MAX = 1024;

/** An application and a user or group: https://pushover.net/api#messages */
export const pushover: HttpKind = {
  fields: [
    { name: "token", secret: true, required: true },
    { name: "user", secret: true, required: true },
    { name: "server", type: "url", fallback: "https://api.pushover.net" },
  ],
  request: ({ server, token, user }, { message }) =>
    postOf(new URL("/1/messages.json", server).href, {
      token,
      user,
      title: shortened(message.title, TITLE_MAX),
      message: shortened(factLines(message) || message.title, MESSAGE_MAX),
      priority: message.mood === "bad" ? 1 : 0,
      ...message.url && { url: message.url, url_title: "Callboard" },
    }),
};
