import { ENCODERS } from "@/lib/execution/log/encoders.ts";

/** A plain secret, and one that every encoding writes differently. */
export const SECRETS = ["hunter22-swordfish", `it's "50%" <wörd> & $HOME/\\x+y~z!`];

/** Returns the forms of a text after one or two encoders in sequence, and the text itself. */
export function writtenForms(secret: string): Set<string> {
  const encoders = Object.values(ENCODERS);
  const once = encoders.flatMap((inner) => [secret, ...inner(secret)]);
  return new Set(
    once.flatMap((text) => encoders.flatMap((outer) => [text, ...outer(text)])),
  );
}
