import { CopyButton } from "@/components/ui/CopyButton.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskOutputValue, TaskView } from "@/lib/tasks/schema.ts";

/** Characters of values on one page, which stays small for phones. The longest value fits. */
const PAGE_LENGTH_MAX = 32 * 1024;
/** A longer value, or one with several lines, is folded. */
const LINE_LENGTH_MAX = 120;

interface TaskOutputsProps {
  ui: Ui;
  task: Pick<TaskView, "id" | "project_id">;
  outputs: TaskOutputValue[];
}

/** The values that a task has reported, folded to their names. It is empty if there are none. */
export function TaskOutputs({ ui, task, outputs }: TaskOutputsProps) {
  const { id, project_id: projectId } = task;
  return (
    <div id="task-outputs">
      {outputs.length > 0 && (
        <details id="task-outputs-list" class="task-outputs reveal">
          <summary>
            <strong>{ui.t("outputs.title")}</strong>{" "}
            <span class="task-outputs-names">{ui.list(outputs.map(({ name }) => name))}</span>
          </summary>
          <div class="task-outputs-frame">
            <OutputTable ui={ui} outputs={outputs} />
          </div>
          {lengthOf(outputs) > PAGE_LENGTH_MAX && (
            <p class="m-0 mt-2">
              <a href={ui.href(`/api${paths.taskOutputs(projectId, id)}`)}>
                {ui.t("outputs.all")}
              </a>
            </p>
          )}
        </details>
      )}
    </div>
  );
}

const lengthOf = (outputs: TaskOutputValue[]) =>
  outputs.reduce((sum, { value }) => sum + value.length, 0);

function OutputTable({ ui, outputs }: Pick<TaskOutputsProps, "ui" | "outputs">) {
  let left = PAGE_LENGTH_MAX;
  return (
    <table>
      <caption class="sr-only">{ui.t("outputs.title")}</caption>
      <thead class="sr-only">
        <tr>
          <th scope="col">{ui.t("resources.name")}</th>
          <th scope="col">{ui.t("outputs.value")}</th>
        </tr>
      </thead>
      <tbody>
        {outputs.map(({ name, value }, n) => {
          const fits = value.length <= left;
          if (fits) left -= value.length;
          return (
            <tr key={n}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {fits
                  ? <Value ui={ui} name={name} value={value} />
                  : <span class="text-muted">{ui.t("outputs.long", { count: value.length })}</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A value as text, with a button that copies it. */
function Value({ ui, name, value }: TaskOutputValue & { ui: Ui }) {
  const id = `task-output-${name}`;
  const text = visible(value);
  const isShort = value.length <= LINE_LENGTH_MAX && !value.includes("\n");
  return (
    <div class="task-output">
      {isShort ? <code id={id}>{text}</code> : (
        <details id={`${id}-fold`} class="reveal">
          <summary>{ui.t("outputs.long", { count: value.length })}</summary>
          <pre id={id} class="result-text" tabIndex={0} role="group" aria-label={name}>{text}</pre>
        </details>
      )}
      <CopyButton
        what={{ of: id }}
        label={ui.t("full_result.copy", { name })}
        copied={ui.t("full_result.copied")}
      />
    </div>
  );
}
