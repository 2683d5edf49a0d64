import { catalogs, htmlLanguage } from "../../lib/i18n/catalogs.ts";
import { languageName } from "../../lib/i18n/translate.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { paths } from "../../lib/base/paths.ts";

/** A button for each language, labeled in that language, which sends the surrounding form. */
export const LanguageButtons = ({ ui }: { ui: Ui }) => (
  <>
    {[...catalogs.keys()].map((id) => (
      <button
        type="submit"
        name="lang"
        value={id}
        aria-current={id === ui.language ? "true" : undefined}
      >
        <span lang={htmlLanguage(id)}>{languageName(id)}</span>
      </button>
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
