import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "./Alert.tsx";
import { ButtonLink } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";

export interface ReferenceGroup {
  title: string;
  items: { name: string; href: string }[];
}

interface ReferencesProps {
  ui: Ui;
  title: string;
  /** The reason why it cannot be deleted. */
  sentence?: string;
  groups: ReferenceGroup[];
  close: string;
}

/** The objects that use something, each with a link. */
export function References({ ui, title, sentence, groups, close }: ReferencesProps) {
  return (
    <Dialog ui={ui} id="references" title={title} close={close}>
      {sentence && <Alert kind="warning">{sentence}</Alert>}
      {groups.filter(({ items }) => items.length > 0).map(({ title, items }) => (
        <section>
          <h2 class="text-base m-0 mt-4 mb-1">{title}</h2>
          <ul class="m-0 pl-5">
            {items.map(({ name, href }) => (
              <li class="leading-6">
                <a class="inline-block" href={href}>{name}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <div class="form-buttons mt-4">
        <ButtonLink kind="secondary" href={close} cancels>{ui.t("actions.close")}</ButtonLink>
      </div>
    </Dialog>
  );
}
