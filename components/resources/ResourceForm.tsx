import type { ComponentChildren } from "preact";
import type { FormState } from "../../lib/web/forms/form.ts";
import { type Noun, SECTION_OF } from "../../lib/base/nouns.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { References } from "../../lib/store/references.ts";
import { Dialog, type DialogWidth } from "../ui/Dialog.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { Breadcrumb, Title } from "../ui/Page.tsx";
import type { ReferenceGroup } from "../ui/References.tsx";
import { listed, Sentence } from "../ui/Sentence.tsx";
import { referenceGroups } from "./reference_groups.ts";

interface ResourceFormProps {
  ui: Ui;
  shell: Shell;
  noun: Noun;
  /** The item to change; null for a new one. */
  item: { id: number; name: string } | null;
  form: FormState;
  /** The page to return to; null for the list. */
  back: string | null;
  labels: Record<string, string>;
  width?: DialogWidth;
  /** Objects that use the item. */
  references?: References;
  children: ComponentChildren;
}

/** The form of a new or existing resource. It posts to its own address. */
export function ResourceForm(
  { ui, shell, noun, item, form, back, labels, width = "medium", references, children }:
    ResourceFormProps,
) {
  const { id: projectId, name: projectName } = shell.project;
  const section = SECTION_OF[noun];
  const list = ui.href(paths.section(projectId, section));
  const end = back ? ui.href(back) : list;
  const query = back ? `?back=${encodeURIComponent(back)}` : "";
  const title = ui.t(`resources.${noun}.${item ? "edit" : "new"}`);
  return (
    <>
      <Title ui={ui} parts={[title, item?.name, projectName]} />
      <Dialog
        ui={ui}
        id={`${section}-form`}
        title={title}
        width={width}
        close={end}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t(`sections.${section}`), href: list }]} />}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.item(projectId, section, item?.id ?? "new") + query)}
          cancel={end}
          save={ui.t(item ? "actions.save" : "actions.create")}
          labels={labels}
        >
          {children}
          {references && <UsedBy ui={ui} shell={shell} references={references} />}
        </Form>
      </Dialog>
    </>
  );
}

/** Lists the objects that a change affects. */
function UsedBy({ ui, shell, references }: { ui: Ui; shell: Shell; references: References }) {
  const groups = referenceGroups(ui, shell, references);
  if (groups.length === 0) return null;
  return (
    <section class="used-by" aria-label={ui.t("references.used_by")}>
      <h2>{ui.t("references.used_by")}</h2>
      <ul>
        {groups.map(({ title, items }) => (
          <li>
            <Sentence
              ui={ui}
              of="lists.labelled"
              parts={{
                label: <span class="text-muted">{title}</span>,
                value: listed(ui, items.map(linkTo)),
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const linkTo = ({ name, href }: ReferenceGroup["items"][number]) => <a href={href}>{name}</a>;
