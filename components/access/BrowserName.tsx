import type { Ui } from "../../lib/i18n/ui.ts";
import Bowser from "bowser";

/**
 * "Firefox 140 on Linux", with the full user agent on hover. Programs appear as they name
 * themselves.
 */
export function BrowserName({ ui, agent }: { ui: Ui; agent: string }) {
  const known = browserOfAgent(agent);
  const words = known && (known.system ? ui.t("sessions.browser_on", known) : known.browser);
  return (
    <span class="clamp" title={agent}>{words || agent || ui.t("sessions.unknown_browser")}</span>
  );
}

/**
 * Returns browser and system of a User-Agent header; null if it names no browser, such as for a
 * program.
 */
function browserOfAgent(text: string): { browser: string; system: string } | null {
  if (text === "") return null;
  const { browser, os } = Bowser.parse(text);
  if (!browser.name) return null;
  const version = /^\d+/.exec(browser.version ?? "")?.[0];
  return { browser: [browser.name, version].filter(Boolean).join(" "), system: os.name ?? "" };
}
