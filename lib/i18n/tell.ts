import type { SentenceOrText } from "../base/sentence_or_text.ts";
import type { Translate } from "./translate.ts";
import { visible } from "./visible.ts";

/** Returns a sentence in the language of `t`. Text of other origin is not translated. */
export const tell = (message: SentenceOrText, t: Translate): string =>
  typeof message === "string" ? visible(message) : t(message.key, message.params);
