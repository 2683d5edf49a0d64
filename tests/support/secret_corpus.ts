import { ENCODERS } from "@/lib/execution/log/encoders.ts";

/** A plain secret, and one that every encoding writes in its own way. */
export const SECRETS = ["hunter22-swordfish", `it's "50%" <wörd> & $HOME/\\x+y~z!`];

/** How one or two encoders after each other write a text; as it is, too. */
export function writtenForms(secret: string): Set<string> {
  const encoders = Object.values(ENCODERS);
  const once = encoders.flatMap((inner) => [secret, ...inner(secret)]);
  return new Set(
    once.flatMap((text) => encoders.flatMap((outer) => [text, ...outer(text)])),
  );
}
