import type { ComponentChildren } from "preact";
import { Dash } from "../ui/lists/cells.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { Sentence } from "../../lib/base/errors.ts";
import { triggerName } from "../tasks/trigger_name.ts";
import type { ComparedFact, FactValue } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TaskRow } from "../../lib/model/task_row.ts";

interface FactsProps {
  ui: Ui;
  facts: ComparedFact[];
  /** Headings of the two columns. */
  headings: ComponentChildren;
  /** Sentence instead of the differences if there are none, and heading of what is equal. */
  nothing: string;
  both: string;
}

/** Settings and outcome of both sides. Differences come first, then facts that are equal. */
export function Facts({ ui, facts, headings, nothing, both }: FactsProps) {
  const different = facts.filter(({ differs }) => differs);
  const same = facts.filter(({ differs, run }) => !differs && run !== "");
  return (
    <>
      <section id="compare-different" aria-labelledby="compare-different-title">
        <h2 id="compare-different-title">{ui.t("compare.different")}</h2>
        {different.length === 0
          ? <p>{nothing}</p>
          : (
            <FactTable ui={ui} caption={ui.t("compare.different")} headings={headings}>
              {different.map((fact) => (
                <Row ui={ui} fact={fact}>
                  <td>{valueText(ui, fact.run)}</td>
                  <td>{valueText(ui, fact.base)}</td>
                </Row>
              ))}
            </FactTable>
          )}
      </section>
      <details id="compare-same" class="reveal">
        <summary>{ui.t("compare.same")}</summary>
        <FactTable
          ui={ui}
          caption={ui.t("compare.same")}
          headings={<th scope="col">{both}</th>}
        >
          {same.map((fact) => (
            <Row ui={ui} fact={fact}>
              <td>{valueText(ui, fact.run)}</td>
            </Row>
          ))}
        </FactTable>
      </details>
    </>
  );
}

interface FactTableProps {
  ui: Ui;
  caption: string;
  headings: ComponentChildren;
  children: ComponentChildren;
}

const FactTable = ({ ui, caption, headings, children }: FactTableProps) => (
  <div class="table-frame">
    <table class="compare-table">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{ui.t("compare.what")}</th>
          {headings}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const RunHeading = ({ ui, task }: { ui: Ui; task: TaskRow }) => (
  <th scope="col">
    <a href={ui.href(paths.taskPage(task.project_id, task.id))}>{`#${task.id}`}</a>
  </th>
);

const Row = (
  { ui, fact, children }: { ui: Ui; fact: ComparedFact; children: ComponentChildren },
) => (
  <tr>
    <th scope="row">{factLabel(ui, fact)}</th>
    {children}
  </tr>
);

export const factLabel = (ui: Ui, { label, of }: ComparedFact): string =>
  of ? ui.t(`compare.${of}`, { name: label }) : ui.t(label);

export function valueText(ui: Ui, value: FactValue): ComponentChildren {
  if (value === "") return <Dash />;
  if (typeof value === "string") return value;
  if ("key" in value) return ui.tell(inWords(ui, value));
  return "ms" in value ? ui.duration(value.ms) : ui.dateTime(value.time);
}

/** Names a schedule without a name by the sentence of its times, as lists do. */
function inWords(ui: Ui, { key, params }: Sentence): Sentence {
  const [, kind] = /^tasks\.starter_of\.(\w+)$/.exec(key) ?? [];
  if (!kind || typeof params?.name !== "string") return { key, params };
  return { key, params: { ...params, name: triggerName(ui, kind, params.name) } };
}
