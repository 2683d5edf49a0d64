import type { ComponentChildren } from "preact";
import { runnerWith } from "@/components/placement/runner_with.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { StartTargets } from "@/lib/uses/start_targets.ts";

interface StartFactsProps {
  ui: Ui;
  template: TemplateView;
  targets: StartTargets;
}

/**
 * The template's warning, and what a new task runs with. Style rules strike out a value while the
 * field that overrides it is filled in.
 */
export function StartFacts({ ui, template, targets }: StartFactsProps) {
  const { inventory, environments, repository, branch, labels, hasInventoryLabels } = targets;
  return (
    <>
      {template.start_warning && (
        <Alert kind="warning">
          <p class="start-warning">{template.start_warning}</p>
        </Alert>
      )}
      <dl class="start-facts" aria-label={ui.t("start_task.facts")}>
        <Fact label={ui.t("templates.playbook")}>
          <code>{template.playbook}</code>
        </Fact>
        {inventory && (
          <Fact label={ui.t("templates.inventory")} field="inventory_id">
            {inventory.name} {inventory.hosts !== null && (
              <span class="text-muted">
                {ui.t("start_task.hosts", { count: inventory.hosts })}
              </span>
            )}
          </Fact>
        )}
        {environments.length > 0 && (
          <Fact label={ui.t("templates.environment")}>{ui.list(environments)}</Fact>
        )}
        <Fact label={ui.t("templates.repository")}>{repository}</Fact>
        {branch && (
          <Fact label={ui.t("templates.branch")} field="git_branch">
            <code>{branch}</code>
          </Fact>
        )}
        {labels && (
          <Fact
            label={ui.t("placement.runs_on")}
            field={hasInventoryLabels ? "inventory_id" : undefined}
          >
            {runnerWith(ui, labels) || ui.t("placement.any")}
          </Fact>
        )}
        {(["limit", "tags", "skip_tags"] as const).map((field, n) => {
          const words = template.task_params?.[field] ?? [];
          return words.length > 0 && (
            <Fact
              key={n}
              label={ui.t(
                field === "limit" ? "start_task.limited_to" : `start_task.override.${field}`,
              )}
              field={field}
            >
              {ui.list(words)}
            </Fact>
          );
        })}
      </dl>
    </>
  );
}

interface FactProps {
  label: string;
  /** Name of the field that overrides the value. */
  field?: string;
  children: ComponentChildren;
}

const Fact = ({ label, field, children }: FactProps) => (
  <div data-own={field}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

interface StartLabelProps {
  plain: string;
  /** The same with the number of hosts; null if it is not known. */
  counted: string | null;
  title: string;
}

/**
 * Label of the button that starts the task. Style rules replace it with `counted` while no field
 * changes the number of hosts. Browsers without styles show only `plain`, which is always true.
 */
export const StartLabel = ({ plain, counted, title }: StartLabelProps) =>
  counted === null ? <>{plain}</> : (
    // Some tools do not see texts of style rules, so the title is a name for them.
    <span class="start-label" data-counted={counted} title={title}>
      <span>{plain}</span>
    </span>
  );
