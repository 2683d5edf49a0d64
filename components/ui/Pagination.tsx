import type { Ui } from "../../lib/i18n/ui.ts";
import { ButtonLink } from "./Button.tsx";

interface PaginationProps {
  ui: Ui;
  /** The way back; without it there is none. */
  newest?: string;
  /** The way on. */
  older?: string;
  /** What the two are called where rows are not in the order of time. */
  labels?: [back: string, on: string];
}

/** Ways to the other rows of a list. Nothing when all is shown. */
export function Pagination({ ui, newest, older, labels }: PaginationProps) {
  if (!newest && !older) return null;
  const [back, on] = labels ?? [ui.t("lists.newest"), ui.t("lists.older")];
  return (
    <nav class="pagination" aria-label={ui.t("lists.pages")}>
      {newest && <ButtonLink href={newest} icon="chevron_left">{back}</ButtonLink>}
      {older && <ButtonLink href={older} class="ml-auto">{on}</ButtonLink>}
    </nav>
  );
}
