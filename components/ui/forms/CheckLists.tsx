import type { ComponentChildren } from "preact";
import { personWith } from "../../../lib/base/person.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { roleNumber } from "../../../lib/approvals/role_number.ts";
import { isFixedRole, ROLES } from "../../../lib/model/roles.ts";
import { roleLabel } from "@/lib/model/role_label.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";

/** A box of a list. Its number is the row, so that each box keeps its name. */
interface Box {
  n: number;
  value: string;
  label: ComponentChildren;
}

/** A member of the project. */
export interface ListedPerson {
  id: number;
  name: string;
}

/** A role that the project or the server defines. */
export interface ListedRole {
  slug: string;
  name: string;
}

/** Boxes for all roles, with chosen ones that were deleted. A save would drop them otherwise. */
export function roleBoxes(
  ui: Ui,
  form: FormState,
  name: string,
  roles: readonly ListedRole[],
): Box[] {
  const names = new Map(roles.map(({ slug, name }) => [slug, name]));
  const chosen = [...chosenIn(form, name)].filter((slug) => slug !== "");
  return [...new Set([...ROLES, ...names.keys(), ...chosen])].map((slug) => ({
    n: roleNumber(slug),
    value: slug,
    label: isFixedRole(slug) || names.has(slug)
      ? roleLabel(ui, slug, names.get(slug))
      : ui.t("access.former_role", { role: slug }),
  }));
}

/** Boxes for members, with chosen people who have left. A save would drop them otherwise. */
export function peopleBoxes(
  ui: Ui,
  form: FormState,
  name: string,
  people: readonly ListedPerson[],
): Box[] {
  const known = new Set(people.map(({ id }) => id));
  const former = [...chosenIn(form, name)].map(Number).filter((id) => id > 0 && !known.has(id));
  return [
    ...people.map((one) => ({
      n: one.id,
      value: String(one.id),
      label: ui.person(personWith(one)),
    })),
    ...former.map((id) => ({ n: id, value: String(id), label: ui.t("approvals.former", { id }) })),
  ];
}

/** Returns the chosen roles and people for these boxes, whose rows are named by number. */
export const chosenBoxes = (
  { roles, user_ids }: { roles: readonly string[]; user_ids: readonly number[] },
) => ({
  roles: Object.fromEntries(roles.map((role) => [roleNumber(role), role])),
  user_ids: Object.fromEntries(user_ids.map((id) => [id, id])),
});

/** Returns the chosen values of a list, which is a text or one text for each of its rows. */
const chosenIn = ({ values }: FormState, name: string): Set<string> =>
  new Set(
    Object.entries(values)
      .filter(([field]) => field === name || field.startsWith(`${name}.`))
      .map(([, text]) => text),
  );

interface CheckListProps {
  ui: Ui;
  form: FormState;
  name: string;
  label: string;
  options: Box[];
}

/** A box for each value that a list may have. */
export function CheckList({ ui, form, name, label, options }: CheckListProps) {
  const chosen = chosenIn(form, name);
  const error = form.errors[name];
  const id = `field-${name}`;
  return (
    <fieldset
      id={id}
      class="field check-list"
      tabIndex={-1}
      aria-describedby={error && `${id}-error`}
    >
      <legend>{label}</legend>
      {options.map(({ n, value, label }) => (
        <label key={n} class="check">
          <input
            type="checkbox"
            name={`${name}.${n}`}
            value={value}
            checked={chosen.has(value)}
          />
          <span>{label}</span>
        </label>
      ))}
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
    </fieldset>
  );
}
