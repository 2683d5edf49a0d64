import type { Operation } from "../../access/operation.ts";
import type { KeyedCall } from "../../access/sent_forms.ts";
import { AppError } from "../../base/errors.ts";

const HEADER = "Idempotency-Key";

/** A key of one to 255 visible characters, which may be in quotation marks. */
const KEY = /^(?:"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** Returns a call with the key that its client has sent for it. Throws 400 for an invalid key. */
export function keyedCall(
  { id }: Operation,
  headers: Headers,
  ids: Readonly<Record<string, number>>,
  body: string,
): KeyedCall {
  const text = headers.get(HEADER);
  const [, quoted, bare] = KEY.exec(text ?? "") ?? [];
  const key = quoted ?? bare ?? null;
  if (text !== null && key === null) throw new AppError(400, "errors.call_key");
  return { key, sent: () => JSON.stringify([id, ids, body]) };
}
