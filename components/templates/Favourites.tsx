import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

const FORM = "favourites";

interface FavouritesFormProps {
  ui: Ui;
  projectId: number;
  /** The list to return to. */
  here: string;
}

/** The form for all stars of a list. One form per row would be a third of the page. */
export const FavouritesForm = ({ ui, projectId, here }: FavouritesFormProps) => (
  <form id={FORM} method="post" action={ui.href(paths.favourites(projectId))} data-stay>
    <input type="hidden" name="back" value={here} />
  </form>
);

interface StarProps {
  ui: Ui;
  template: Pick<TemplateView, "id" | "name">;
  isFavourite: boolean;
}

/** Moves a template to the top of one's own list, or back to its position. */
export function Star({ ui, template: { id, name }, isFavourite }: StarProps) {
  return (
    <button
      type="submit"
      id={`star-${id}`}
      class="star"
      form={FORM}
      name={isFavourite ? "remove" : "add"}
      value={id}
      aria-label={ui.t("templates.favourite_named", { name })}
      aria-pressed={isFavourite ? "true" : "false"}
      title={ui.t("templates.favourite")}
    >
      {isFavourite ? "★" : "☆"}
    </button>
  );
}
