import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Confirm } from "../ui/Confirm.tsx";
import { Title } from "../ui/Page.tsx";

interface AskDeleteProps {
  ui: Ui;
  shell: Shell;
  title: string;
  name: string;
  question: string;
  /** Paths below the sub-path: of the deleted item, and of "Cancel". */
  item: string;
  cancel: string;
}

/** Asks before an integration or a part of it is deleted. */
export function AskDelete({ ui, shell, title, name, question, item, cancel }: AskDeleteProps) {
  return (
    <>
      <Title ui={ui} parts={[title, name, shell.project.name]} />
      <Confirm
        ui={ui}
        title={title}
        question={question}
        action={`${ui.href(item)}/delete`}
        cancel={ui.href(cancel)}
        yes={ui.t("actions.delete")}
      />
    </>
  );
}
