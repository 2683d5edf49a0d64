import type { ComponentChildren } from "preact";
import { Dash } from "../ui/cells.tsx";
import { paths } from "../../lib/base/paths.ts";
import type { ComparedFact, FactValue, Pair } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TaskRow } from "../../lib/tasks/schema.ts";

type FactsProps = Pair & { ui: Ui; facts: ComparedFact[] };

/** Settings and outcome of both tasks. Differences come first, then facts that are equal. */
export function Facts({ ui, run, base, facts }: FactsProps) {
  const different = facts.filter(({ differs }) => differs);
  const same = facts.filter(({ differs, run }) => !differs && run !== "");
  return (
    <>
      <section id="compare-different" aria-labelledby="compare-different-title">
        <h2 id="compare-different-title">{ui.t("compare.different")}</h2>
        {different.length === 0
          ? <p>{ui.t("compare.nothing_differs")}</p>
          : (
            <FactTable ui={ui} caption={ui.t("compare.different")} {...{ run, base }}>
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
        <FactTable ui={ui} caption={ui.t("compare.same")}>
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

interface FactTableProps extends Partial<Pair> {
  ui: Ui;
  caption: string;
  children: ComponentChildren;
}

const FactTable = ({ ui, caption, run, base, children }: FactTableProps) => (
  <div class="table-frame">
    <table class="compare-table">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{ui.t("compare.what")}</th>
          {run && base
            ? (
              <>
                <RunHeading ui={ui} task={run} />
                <RunHeading ui={ui} task={base} />
              </>
            )
            : <th scope="col">{ui.t("compare.both")}</th>}
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
  if (typeof value === "string" || "key" in value) return ui.tell(value);
  return "ms" in value ? ui.duration(value.ms) : ui.dateTime(value.time);
}
