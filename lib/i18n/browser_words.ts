import Bowser from "bowser";

/** What a User-Agent header says in words; null where it names no browser: a program, say. */
export function browserOfAgent(text: string): { browser: string; system: string } | null {
  if (text === "") return null;
  const { browser, os } = Bowser.parse(text);
  if (!browser.name) return null;
  const version = /^\d+/.exec(browser.version ?? "")?.[0];
  return { browser: [browser.name, version].filter(Boolean).join(" "), system: os.name ?? "" };
}
