import type { Ui } from "../../../lib/i18n/ui.ts";
import { IconLink } from "../Button.tsx";

interface ChangeLinksProps {
  ui: Ui;
  name: string;
  /** Addresses of the dialog or page that deletes the thing, and of the one that edits it. */
  remove: string;
  edit: string;
  /** Whether it is edited in a dialog over the page. */
  over?: boolean;
}

/** Links that delete and edit something. */
export const ChangeLinks = ({ ui, name, remove, edit, over }: ChangeLinksProps) => (
  <>
    <IconLink icon="delete" label={ui.t("actions.delete_named", { name })} href={remove} over />
    {" "}
    <IconLink icon="edit" label={ui.t("actions.edit_named", { name })} href={edit} over={over} />
  </>
);
