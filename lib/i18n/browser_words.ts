import Bowser from "bowser";

/**
 * Returns browser and system of a User-Agent header; null if it names no browser, such as for a
 * program.
 */
export function browserOfAgent(text: string): { browser: string; system: string } | null {
  if (text === "") return null;
  const { browser, os } = Bowser.parse(text);
  if (!browser.name) return null;
  const version = /^\d+/.exec(browser.version ?? "")?.[0];
  return { browser: [browser.name, version].filter(Boolean).join(" "), system: os.name ?? "" };
}
