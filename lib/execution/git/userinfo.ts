/** Placeholder for login and password in URLs that are stored unencrypted and shown. */
export const HIDDEN = "***";

/** Everything between the scheme and the last "@" in front of the path. */
const HTTP_WITH_USERINFO = /^(https?:\/\/)([^/?#]*)@/i;

/**
 * Returns login and password of an http address, as in `https://TOKEN@host/x.git`, or null. All of
 * it is secret, because some hosts take a token as the login.
 */
export const userinfoOf = (url: string): string | null => HTTP_WITH_USERINFO.exec(url)?.[2] || null;

/** Returns the URL with its userinfo replaced, or removed for null. */
export const withUserinfo = (url: string, userinfo: string | null): string =>
  url.replace(
    HTTP_WITH_USERINFO,
    (_, scheme) => scheme + (userinfo === null ? "" : `${userinfo}@`),
  );

/** Returns the URL without the placeholder for login and password, if it has only that. */
export const withoutHidden = (url: string): string =>
  userinfoOf(url) === HIDDEN ? withUserinfo(url, null) : url;
