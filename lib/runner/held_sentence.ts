import type { Sentence, SentenceParams } from "../base/errors.ts";
import { isErrorKey } from "../i18n/error_keys.ts";

/** A task's row holds the reason of its end, in 64 KiB. */
const LENGTH_MAX = 8 * 1024;

/**
 * Returns a reported sentence as the server can store and show it. One that is too long, or that
 * this server does not have, becomes a text in a sentence.
 */
export function heldSentence(reported: Sentence): Sentence {
  const isFine = isOwn(reported) && JSON.stringify(reported).length <= LENGTH_MAX;
  if (isFine) return reported;
  const texts = Object.values(reported.params ?? {}).filter((value) => typeof value === "string");
  const detail = [reported.key, ...texts].join(" ").slice(0, LENGTH_MAX / 4);
  return { key: "errors.run.unforeseen", params: { detail } };
}

/** Errors only, because other sentences would claim what the server did. */
const isOwn = ({ key, params = {} }: Sentence): boolean =>
  isErrorKey(key) && Object.values(params).every(isOwnParam);

const isOwnParam = (value: SentenceParams[string]): boolean =>
  typeof value !== "object" || [value].flat().every(isOwn);
