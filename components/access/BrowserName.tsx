import { browserOfAgent } from "../../lib/i18n/browser_words.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

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
