import type { Told } from "../base/told.ts";
import type { Translate } from "./translate.ts";
import { visible } from "./visible.ts";

/** What is told, in the language of `t`; somebody else's words stay as they are. */
export const tell = (told: Told, t: Translate): string =>
  typeof told === "string" ? visible(told) : t(told.key, told.params);
