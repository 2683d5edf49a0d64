import type { Ui } from "../../lib/i18n/ui.ts";
import { ButtonLink } from "./Button.tsx";

/** Ways to newer and older rows of a list that is read by cursor. Nothing when all is shown. */
export function Pagination({ ui, newest, older }: { ui: Ui; newest?: string; older?: string }) {
  if (!newest && !older) return null;
  return (
    <nav class="pagination" aria-label={ui.t("lists.pages")}>
      {newest && <ButtonLink href={newest} icon="chevron_left">{ui.t("lists.newest")}</ButtonLink>}
      {older && (
        <ButtonLink href={older} class="ml-auto">
          {ui.t("lists.older")}
        </ButtonLink>
      )}
    </nav>
  );
}
