import type { ViewMessage } from "../base/view_message.ts";
import type { Translate } from "./translate.ts";
import { visible } from "./visible.ts";

/** Returns a sentence in the language of `t`. Text of other origin is not translated. */
export const tell = (message: ViewMessage, t: Translate): string =>
  typeof message === "string" ? visible(message) : t(message.key, message.params);
