/** Header with the id of a request, in requests of proxies and clients and in all answers. */
export const REQUEST_ID = "X-Request-Id";

/** Other ids could break a line of a log, or fill it. */
const SAFE = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the id that a request was given on its way, or a new one. */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get(REQUEST_ID);
  return sent !== null && SAFE.test(sent) ? sent : crypto.randomUUID();
}
