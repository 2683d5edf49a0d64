import { Buffer } from "node:buffer";
import { unescape } from "node:querystring";

/** Addresses that choices of surveys may come from. */
export interface AllowedUrl {
  /** The address and all addresses below it, without credentials. */
  url: URL;
  /** Value of the header `Authorization`; null for none. */
  authorization: string | null;
}

/**
 * Reads addresses that are separated by commas or spaces. Login and password of an address are sent
 * to it. Calls `invalid` with the reason for an unusable one.
 */
export function parseAllowedUrls(
  text: string,
  invalid: (must: string) => never,
): readonly AllowedUrl[] {
  return text.split(/[\s,]+/).filter((part) => part !== "").map((part) => {
    const url = URL.parse(part);
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
      // An address may hold a password, so the message does not repeat it.
      return invalid("must be addresses that begin with http:// or https://, without ? and #");
    }
    const { username, password } = url;
    url.username = url.password = "";
    const login = unescape(`${username}:${password}`); // A plain "%" stays one.
    return { url, authorization: username || password ? `Basic ${base64(login)}` : null };
  });
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A part of a path that some servers decode, and then take for the folder above. */
const PARENT = /([/\\]|%2f|%5c)(\.|%2e){2}([/\\;]|%2f|%5c|%3b|$)/i;

/** Returns the entry that allows an address: the same one, or one above it; undefined for none. */
export const findAllowed = (
  allowed: readonly AllowedUrl[],
  address: string,
): AllowedUrl | undefined => {
  const wanted = URL.parse(address);
  if (!wanted || PARENT.test(wanted.pathname)) return undefined;
  return allowed.find(({ url: { origin, pathname } }) =>
    wanted.origin === origin &&
    (wanted.pathname === pathname ||
      wanted.pathname.startsWith(pathname.endsWith("/") ? pathname : `${pathname}/`))
  );
};
