import type { ComponentChildren } from "preact";
import type { SentenceParams } from "../../lib/base/errors.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

interface SentenceProps {
  ui: Ui;
  /** A locale key. */
  of: string;
  params?: SentenceParams;
  /** Links, times and the like, by the names of the sentence's placeholders. */
  parts: Record<string, ComponentChildren>;
}

/**
 * A private-use character, which no text contains. The name of a part stands between two of them.
 */
const EDGE = "\ue000";

/** A sentence with elements in it. Each language decides where they go. */
export function Sentence({ ui, of, params, parts }: SentenceProps): ComponentChildren {
  const places = Object.keys(parts).map((name) => [name, EDGE + name + EDGE]);
  return filled(ui.t(of, { ...params, ...Object.fromEntries(places) }), parts);
}

/** Joins links and the like as the reader's language joins words. */
export const listed = (ui: Ui, parts: readonly ComponentChildren[]): ComponentChildren[] =>
  filled(ui.list(parts.map((_, n) => EDGE + n + EDGE)), { ...parts });

const filled = (text: string, parts: Record<string, ComponentChildren>): ComponentChildren[] =>
  text.split(EDGE).map((piece, n) => n % 2 === 1 ? parts[piece] : piece);
