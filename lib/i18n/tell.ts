import type { Told } from "../base/told.ts";
import type { Translate } from "./translate.ts";
import { visible } from "./visible.ts";

/** Returns a sentence in the language of `t`. Text of other origin is not translated. */
export const tell = (told: Told, t: Translate): string =>
  typeof told === "string" ? visible(told) : t(told.key, told.params);
