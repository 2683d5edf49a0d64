import { Buffer } from "node:buffer";
import { hasMembers, parseExact } from "../../base/text/exact_json.ts";
import { sourceError } from "./errors.ts";
import type { SourceAccess, SourceField, SourceValues } from "./kind.ts";
import { textValues } from "./text_values.ts";

/** Certificates of a private authority, for storages that people run themselves. */
export const CA_FIELD: SourceField = { name: "ca_certificate", type: "area" };

/** Returns the object in an answer; an empty one for anything else. */
export function answerObject<T>(text: string): Partial<T> {
  try {
    const answer = parseExact(text);
    return hasMembers(answer) ? answer : {};
  } catch {
    return {};
  }
}

/** Throws the reason of an answer that is not a success. */
export function requireSuccess(
  { storage }: Pick<SourceAccess, "storage">,
  path: string,
  { code, said }: { code: number; said: string },
): void {
  if (code === 200) return;
  if (code === 401 || code === 403) throw sourceError(storage, path, "denied");
  if (code === 404) throw sourceError(storage, path, "missing");
  throw sourceError(storage, path, "refused", { code, why: said });
}

/** Throws the reason of a sign-in that has failed. */
export function requireSignedIn(
  { storage }: Pick<SourceAccess, "storage">,
  { code, said }: { code: number; said: string },
  token: unknown,
): asserts token is string {
  if (code === 200 && typeof token === "string") return;
  throw sourceError(storage, "", "sign_in", { why: `${code} ${said}`.trim() });
}

/** Returns the credential of a storage. Throws if it has none, as after a restore. */
export function requireCredential({ storage }: Pick<SourceAccess, "storage">) {
  if (storage.secret) return storage.secret;
  throw sourceError(storage, "", "no_credential");
}

/** Returns a function that does `work` once, and again only if it has failed. */
export function onceDone<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    if (!done) (done = work()).catch(() => done = undefined);
    return done!;
  };
}

/** Returns the values of a text; none if an answer has no text. */
export const valuesIn = (text: string | undefined): SourceValues =>
  typeof text === "string" ? textValues(text) : { values: {} };

/** Returns a text of base64. */
export const textOfBase64 = (base64: string | undefined): string | undefined =>
  base64 && Buffer.from(base64, "base64").toString();

/** Returns a URL below another one, whose slash at the end does not matter. */
export const urlBelow = (base: string, path: string): string =>
  base.replace(/(?<!\/)\/+$/, "") + path;

/** Returns the parts of a path for a URL. */
export const encodedPath = (path: string): string =>
  path.split("/").map(encodeURIComponent).join("/");
