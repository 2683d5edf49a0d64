import { ChoiceBar } from "./ChoiceBar.tsx";
import { CheckStrip } from "./CheckStrip.tsx";
import { driftAddress, type DriftState } from "./DriftPage.tsx";
import { DriftedChanges } from "./DriftedChanges.tsx";
import { DriftTable, UncheckedTasks } from "./DriftTable.tsx";
import { DriftTotals } from "./DriftTotals.tsx";
import { CheckButton } from "@/components/tasks/CheckButton.tsx";
import { LatestTask } from "@/components/tasks/LatestTask.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { FilterBar } from "@/components/ui/lists/FilterBar.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { Sentence } from "@/components/ui/Sentence.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { DriftedChange } from "@/lib/drift/drifted_changes.ts";
import type { HostDrift, TemplateDrift } from "@/lib/drift/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { may, type Shell } from "@/lib/web/shell.ts";

/** Changes of a check on the page. */
interface ShownChanges {
  changes: DriftedChange[];
  next: string | null;
}

interface TemplateDriftPageProps {
  ui: Ui;
  shell: Shell;
  template: { id: number; name: string };
  /** Null before the first check. */
  drift: TemplateDrift | null;
  rows: HostDrift[];
  hasNext: boolean;
  filter: DriftState;
  after: string | undefined;
  changes: ShownChanges;
  /** Beginning of the reader's day. */
  today: string;
  version: string;
}

/** The states of the hosts of a template, the changes that they need, and ways to fix them. */
export function TemplateDriftPage(props: TemplateDriftPageProps) {
  const { ui, shell, template, drift, version } = props;
  const { id, name } = shell.project;
  const mayRun = may(shell, "run_tasks");
  const crumbs = [
    { label: ui.t("sections.drift"), href: ui.href(paths.section(id, "drift")) },
    { label: template.name, href: ui.href(paths.template(id, template.id)) },
  ];
  const check = mayRun && (
    <CheckButton
      {...{ ui, projectId: id, templateId: template.id }}
      kind={drift ? undefined : "primary"}
    />
  );
  return (
    <div id="live" data-live={`${ui.href(paths.driftEvents(id))}?since=${version}`}>
      <Title ui={ui} parts={[ui.t("sections.drift"), template.name, name]} />
      <PageHeader
        title={ui.t("drift.of_template", { name: template.name })}
        above={<Breadcrumb ui={ui} crumbs={crumbs} />}
        actions={drift && check}
      />
      {!drift && (
        <EmptyState icon="drift" title={ui.t("drift.never")}>
          <p>{ui.t("drift.about")}</p>
          {check}
          {may(shell, "manage_resources") && (
            <p>
              <a href={ui.href(paths.templateChecks(id, template.id))}>
                {ui.t("drift.schedule")}
              </a>
            </p>
          )}
        </EmptyState>
      )}
      {drift && <Checked {...props} drift={drift} />}
    </div>
  );
}

/** The states and changes of a template that was checked. */
function Checked(props: TemplateDriftPageProps & { drift: TemplateDrift }) {
  const { ui, shell, template, drift, rows, hasNext, filter, after, changes } = props;
  const { id } = shell.project;
  const path = paths.templateDrift(id, template.id);
  const page = ui.href(path);
  const here = driftAddress(path, filter, after);
  const mayFix = may(shell, "run_tasks") && drift.hosts.would_change + drift.hosts.accepted > 0;
  return (
    <>
      <DriftHead {...props} drift={drift} here={here} />
      <DriftTotals
        ui={ui}
        counts={drift.hosts}
        hrefOf={(state) => driftAddress(page, { ...filter, state })}
      />
      {mayFix && (
        <ChoiceBar
          {...{ ui, projectId: id, template: template.id }}
          isAccepted={drift.hosts.accepted > 0}
        />
      )}
      <DriftedChanges
        ui={ui}
        projectId={id}
        taskId={drift.task_id}
        changes={changes.changes}
        more={changes.next === null
          ? undefined
          : ui.href(`${path}?changes=${encodeURIComponent(changes.next)}`)}
      />
      <UncheckedTasks ui={ui} projectId={id} rows={rows} />
      <FilterBar
        ui={ui}
        id="drift"
        action={page}
        search={{ value: filter.q, label: ui.t("hosts.filter") }}
        kept={{ state: filter.state, sort: filter.order }}
        isFiltered={filter.q !== "" || filter.state !== undefined}
      />
      <DriftTable
        ui={ui}
        projectId={id}
        rows={rows}
        here={here}
        without="template"
        sorted={{ by: filter.order, hrefOf: (order) => driftAddress(page, { ...filter, order }) }}
        mayFix={mayFix}
        empty={<EmptyState icon="drift" title={ui.t("drift.none")} />}
      />
      <Pagination
        ui={ui}
        newest={after ? driftAddress(page, filter) : undefined}
        older={hasNext ? driftAddress(page, filter, rows.at(-1)?.cursor) : undefined}
        labels={[ui.t("hosts.first"), ui.t("lists.next")]}
        stays
      />
    </>
  );
}

function DriftHead(
  { ui, drift, today, here }: TemplateDriftPageProps & { drift: TemplateDrift; here: string },
) {
  const { hosts, begun, checks, task_id, checked, commit } = drift;
  const total = Object.values(hosts).reduce((sum, count) => sum + count, 0);
  const news = begun.filter(({ time }) => time >= today)
    .reduce((sum, { hosts }) => sum + hosts, 0);
  const numbers = { drifted: ui.number(hosts.would_change), total: ui.number(total) };
  return (
    <div class="drift-head">
      <p>
        <strong>{ui.t("drift.summary", numbers)}</strong>
        {news > 0 && ` (${ui.t("drift.today", { number: ui.number(news) })})`}
      </p>
      <CheckStrip ui={ui} checks={checks} />
      {task_id !== null && (
        <p>
          <Sentence
            ui={ui}
            of="lists.labelled"
            params={{ label: ui.t("drift.checked") }}
            parts={{ value: <LatestTask ui={ui} page={here} id={task_id} at={checked} /> }}
          />
        </p>
      )}
      {commit !== null && (
        <p>
          <Sentence
            ui={ui}
            of="lists.labelled"
            params={{ label: ui.t("tasks.commit") }}
            parts={{ value: <code>{commit.slice(0, 10)}</code> }}
          />
        </p>
      )}
    </div>
  );
}
