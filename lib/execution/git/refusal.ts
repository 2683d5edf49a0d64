/** Messages of git about a host that asks for credentials and got none. */
export const ASKS_FOR_CREDENTIALS =
  /could not read (?:Username|Password)|Git credentials for \S+ not found|prompts disabled/i;
/** Messages of git and ssh about credentials that were refused. */
export const REFUSES_CREDENTIALS =
  /Permission denied|Authorization error|Authentication failed|Access denied|error: 40[13]\b|Too many authentication failures/i;

/** Places of the host in messages of git and ssh. */
const HOSTS = [
  /Git credentials for https?:\/\/(\S*) not found/i,
  /Authorization error: https?:\/\/(\S*)/i,
  /(?:Username|Password|Authentication failed) for ["']https?:\/\/([^\s"']*)/i,
  /unable to access '?https?:\/\/([^\s']*)'?: The requested URL returned error: 40[13]/i,
  /(?:^|\s)(\S+): Permission denied \(/,
  /(?:Received disconnect|Connection closed|Disconnected) (?:from|by) (\S+) port/,
];

/** Returns the host that did not let git in, by git's messages; null if none is named. */
export function refusingHost(said: string): string | null {
  if (!ASKS_FOR_CREDENTIALS.test(said) && !REFUSES_CREDENTIALS.test(said)) return null;
  const address = HOSTS.map((pattern) => pattern.exec(said)?.[1]).find(Boolean) ?? "";
  return address.split("/")[0].replace(/^.*@/, "").slice(0, HOST_MAX) || null;
}

const HOST_MAX = 300;
