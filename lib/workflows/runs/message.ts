import { cutText } from "../../base/text/cut_text.ts";
import type { RunRow } from "../run_schema.ts";
import { stepValues } from "./values.ts";
import type { Store } from "../../store/store.ts";

/** A value of a step in a message: its id and the value's name. */
const VALUE = /\$\{(\d{1,9})\.([^{}\s]{1,100})\}/g;

/** Maximum bytes of a message. */
const MESSAGE_BYTES_MAX = 8_192;

/**
 * Returns the message of an approval with values of earlier steps in place of their names, cut to
 * its maximum. A value that does not exist stays as it is written.
 */
export async function messageOf(kv: Store, run: RunRow, message: string): Promise<string> {
  const ids = new Set([...message.matchAll(VALUE)].map(([, id]) => Number(id)));
  const values = new Map(
    await Promise.all([...ids].map(async (id) => [id, await stepValues(kv, run, id)] as const)),
  );
  const filled = message.replaceAll(
    VALUE,
    (written, id, name) => values.get(Number(id))?.get(name) ?? written,
  );
  return cutText(filled, MESSAGE_BYTES_MAX);
}
