import { Icon, type IconName } from "../ui/Icon.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { Theme, Ui } from "../../lib/i18n/ui.ts";
import { catalogs, htmlLanguage } from "../../lib/i18n/catalogs.ts";

const THEMES: [Theme, IconName][] = [["system", "system"], ["light", "sun"], ["dark", "moon"]];

/**
 * Theme and language. Each button sends a form that sets a cookie; the account also stores its
 * language.
 */
export function Preferences({ ui, here }: { ui: Ui; here: string }) {
  return (
    <form method="post" action={ui.href(paths.preferences())} class="preferences" data-stay>
      <input type="hidden" name="back" value={here} />
      <div class="theme-switch" role="group" aria-label={ui.t("shell.theme.label")}>
        {THEMES.map(([theme, icon]) => (
          <>
            <button
              type="submit"
              name="theme"
              value={theme}
              aria-pressed={ui.theme === theme ? "true" : "false"}
              title={ui.t(`shell.theme.${theme}`)}
            >
              <Icon name={icon} />
              <span class="sr-only">{ui.t(`shell.theme.${theme}`)}</span>
            </button>
            {" "}
          </>
        ))}
      </div>
      <button
        type="button"
        class="language"
        popovertarget="language-menu"
      >
        <Icon name="language" />
        <span class="sr-only">
          {`${ui.labelled(ui.t("shell.language"), catalogs.get(ui.language)!.name)} `}
        </span>
        {ui.language.toUpperCase()}
      </button>
      <div id="language-menu" class="drawer-menu drawer-menu-bottom" popover="auto">
        <button type="submit" name="lang" value="">{ui.t("shell.system_language")}</button>{" "}
        <LanguageButtons ui={ui} />
      </div>
    </form>
  );
}

/**
 * A button for each language, labeled in that language, which sends the surrounding form. Spaces
 * are for text browsers, which show the names on one line.
 */
const LanguageButtons = ({ ui }: { ui: Ui }) => (
  <>
    {[...catalogs].map(([id, { name }]) => (
      <>
        <button
          type="submit"
          name="lang"
          value={id}
          aria-current={id === ui.language ? "true" : undefined}
        >
          <span lang={htmlLanguage(id)}>{name}</span>
        </button>
        {" "}
      </>
    ))}
  </>
);

/** Language selection for visitors; renders nothing if there is only one language. */
export function Languages({ ui, here }: { ui: Ui; here: string }) {
  if (catalogs.size === 1) return null;
  return (
    <form
      method="post"
      action={ui.href(paths.preferences())}
      class="languages"
      aria-label={ui.t("shell.language")}
    >
      <input type="hidden" name="back" value={here} />
      <LanguageButtons ui={ui} />
    </form>
  );
}
