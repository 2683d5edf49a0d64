import { CheckStrip } from "./CheckStrip.tsx";
import { ChoiceBar } from "./ChoiceBar.tsx";
import { DifferingTable } from "./DifferingTable.tsx";
import { DriftTable } from "./DriftTable.tsx";
import { DriftTotals } from "./DriftTotals.tsx";
import { LatestTask } from "@/components/tasks/LatestTask.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn } from "@/components/ui/lists/columns.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { FilterBar, FilterField } from "@/components/ui/lists/FilterBar.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { HostDrift, TemplateDrift } from "@/lib/drift/schema.ts";
import { type DriftOrder, SHOWN_STATES, type ShownState } from "@/lib/drift/state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateOutline } from "@/lib/templates/outlines.ts";
import { may, type Shell } from "@/lib/web/shell.ts";

/** Filter of a page of states. */
export interface DriftState {
  q: string;
  state?: ShownState;
  template?: number;
  order: DriftOrder;
}

interface DriftPageProps {
  ui: Ui;
  shell: Shell;
  counts: Record<ShownState, number>;
  rows: HostDrift[];
  hasNext: boolean;
  /** Checked templates from the one after `templatesAfter`, and whether there are more. */
  templates: TemplateDrift[];
  templatesAfter: number;
  hasMoreTemplates: boolean;
  /** The template of the filter, which may be on another page of them. */
  chosen: TemplateDrift | null;
  /** The first templates of the project that are not among the checked ones. */
  toCheck: Pick<TemplateOutline, "id" | "name">[];
  filter: DriftState;
  after: string | undefined;
  /** Version of the states as shown. */
  version: string;
}

/** The changes that hosts need, the states of all hosts, worst first, and the checked templates. */
export function DriftPage(props: DriftPageProps) {
  const { ui, shell, counts, rows, hasNext, templates, filter, after, version } = props;
  const { id, name } = shell.project;
  const page = ui.href(paths.section(id, "drift"));
  const isAny = templates.length > 0 || props.templatesAfter > 0;
  const mayFix = may(shell, "run_tasks") && counts.would_change + counts.accepted > 0;
  // The changes are those of all hosts, so they are not shown beside some of them.
  const isWhole = !after && filter.q === "" && (filter.state ?? "would_change") === "would_change";
  const here = driftAddress(paths.section(id, "drift"), filter, after);
  return (
    <div id="live" data-live={`${ui.href(paths.driftEvents(id))}?since=${version}`}>
      <Title ui={ui} parts={[ui.t("sections.drift"), name]} />
      <PageHeader
        title={ui.t("sections.drift")}
        actions={
          <ButtonLink href={ui.href(paths.allDrift())}>{ui.t("drift.all_projects")}</ButtonLink>
        }
      />
      {!isAny && <NeverChecked ui={ui} shell={shell} templates={props.toCheck} />}
      {isAny && (
        <>
          <DriftTotals
            ui={ui}
            counts={counts}
            hrefOf={(state) => driftAddress(page, { ...filter, state })}
          />
          {mayFix && <ChoiceBar ui={ui} projectId={id} isAccepted={counts.accepted > 0} />}
          {isWhole && (
            <DifferingTable
              {...{ ui, mayFix }}
              projectId={id}
              templates={props.chosen ? [props.chosen] : templates}
            />
          )}
          <StatesFilter {...props} page={page} />
          <DriftTable
            ui={ui}
            projectId={id}
            rows={rows}
            here={here}
            mayFix={mayFix}
            sorted={{
              by: filter.order,
              hrefOf: (order) => driftAddress(page, { ...filter, order }),
            }}
            empty={<EmptyState icon="drift" title={ui.t("drift.none")} />}
          />
          <Pagination
            ui={ui}
            newest={after ? driftAddress(page, filter) : undefined}
            older={hasNext ? driftAddress(page, filter, rows.at(-1)?.cursor) : undefined}
            labels={[ui.t("hosts.first"), ui.t("lists.next")]}
            stays
          />
          {!after && <CheckedTemplates {...props} page={page} here={here} />}
          {!after && may(shell, "run_tasks") && props.toCheck.length > 0 && (
            <details id="to-check" class="reveal mt-4">
              <summary>{ui.t("drift.choose_template")}</summary>
              <ToCheck ui={ui} projectId={id} templates={props.toCheck} />
            </details>
          )}
        </>
      )}
    </div>
  );
}

/** The checked templates with their latest checks. */
const CheckedTemplates = (props: DriftPageProps & { page: string; here: string }) => (
  <section id="drift-templates" aria-labelledby="drift-templates-title">
    <h2 id="drift-templates-title">{props.ui.t("drift.templates")}</h2>
    <Table
      caption={props.ui.t("drift.templates")}
      rows={props.templates}
      rowId={({ template_id }) =>
        `drift-template-${template_id}`}
      columns={templateColumns(props.ui, props.shell.project.id, props.here)}
    />
    <TemplatesNav {...props} />
  </section>
);

/** Says how many of the checked templates are shown, and leads to the others. */
function TemplatesNav(
  { ui, templates, templatesAfter, hasMoreTemplates, page }: DriftPageProps & { page: string },
) {
  if (!hasMoreTemplates && templatesAfter === 0) return null;
  return (
    <>
      <p class="text-muted">{ui.t("drift.templates_shown", { number: templates.length })}</p>
      <Pagination
        ui={ui}
        newest={templatesAfter === 0 ? undefined : page}
        older={hasMoreTemplates ? `${page}?templates=${templates.at(-1)!.template_id}` : undefined}
        labels={[ui.t("drift.first_templates"), ui.t("drift.next_templates")]}
        stays
      />
    </>
  );
}

/** Filters the states by host, template and state. */
const StatesFilter = (
  { ui, filter, templates, chosen, page }: DriftPageProps & { page: string },
) => (
  <FilterBar
    ui={ui}
    id="drift"
    action={page}
    search={{ value: filter.q, label: ui.t("hosts.filter") }}
    sort={{
      options: [
        { value: "worst", label: ui.t("drift.worst_first") },
        { value: "host", label: ui.t("hosts.host") },
      ],
      value: filter.order,
    }}
    isFiltered={filter.q !== "" || filter.state !== undefined ||
      filter.template !== undefined}
  >
    <FilterField id="drift-template" label={ui.t("history.filter.template")}>
      <select id="drift-template" name="template">
        <option value="">{ui.t("history.any_template")}</option>
        {offered(templates, chosen).map(({ template_id, template_name }) => (
          <option value={template_id} selected={template_id === filter.template}>
            {template_name}
          </option>
        ))}
      </select>
    </FilterField>
    <FilterField id="drift-state" label={ui.t("drift.state")}>
      <select id="drift-state" name="state">
        <option value="">{ui.t("history.any_status")}</option>
        {SHOWN_STATES.map((state) => (
          <option value={state} selected={state === filter.state}>
            {ui.t(`drift.states.${state}`)}
          </option>
        ))}
      </select>
    </FilterField>
  </FilterBar>
);

/** The templates to choose from, with the chosen one if it is on another page. */
const offered = (templates: TemplateDrift[], chosen: TemplateDrift | null) =>
  chosen && templates.every(({ template_id }) => template_id !== chosen.template_id)
    ? [chosen, ...templates]
    : templates;

/** Explains checks, and leads to the page of each template that starts and schedules them. */
function NeverChecked(
  { ui, shell, templates }: Pick<DriftPageProps, "ui" | "shell"> & {
    templates: DriftPageProps["toCheck"];
  },
) {
  const { id } = shell.project;
  return (
    <>
      <EmptyState icon="drift" title={ui.t("drift.empty")}>
        <p>{ui.t("drift.about")}</p>
        {templates.length === 0 && (
          <ButtonLink kind="primary" href={ui.href(paths.section(id, "templates"))}>
            {ui.t("drift.choose_template")}
          </ButtonLink>
        )}
      </EmptyState>
      {may(shell, "run_tasks") && templates.length > 0 && (
        <section id="to-check" aria-labelledby="to-check-title">
          <h2 id="to-check-title">{ui.t("drift.choose_template")}</h2>
          <ToCheck ui={ui} projectId={id} templates={templates} />
        </section>
      )}
    </>
  );
}

/** Links to the pages that start and schedule the checks of templates. */
const ToCheck = (
  { ui, projectId, templates }: {
    ui: Ui;
    projectId: number;
    templates: DriftPageProps["toCheck"];
  },
) => (
  <ul>
    {templates.map(({ id, name }, n) => (
      <li key={n}>
        <a href={ui.href(paths.templateDrift(projectId, id))}>{name}</a>
      </li>
    ))}
  </ul>
);

const templateColumns = (ui: Ui, projectId: number, here: string): Column<TemplateDrift>[] => [
  nameColumn(ui, "schedules.template", ({ template_name }) => template_name, {
    href: ({ template_id }) => ui.href(paths.templateDrift(projectId, template_id)),
  }),
  { label: ui.t("drift.differ"), named: true, cell: ({ hosts }) => differText(ui, hosts) },
  {
    label: ui.t("drift.last_checks"),
    cell: ({ checks }) => <CheckStrip ui={ui} checks={checks} />,
  },
  {
    label: ui.t("drift.checked"),
    named: true,
    cell: ({ task_id, checked }) =>
      task_id ? <LatestTask ui={ui} page={here} id={task_id} at={checked} /> : <Dash />,
  },
];

/** Returns "17 of 200". */
const differText = (ui: Ui, hosts: TemplateDrift["hosts"]) =>
  ui.t("drift.of", {
    drifted: ui.number(hosts.would_change),
    total: ui.number(Object.values(hosts).reduce((sum, count) => sum + count, 0)),
  });

/** Address of a list of states, without parameters that have their default value. */
export function driftAddress(
  path: string,
  { q, state, template, order }: DriftState,
  after?: string,
): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (state) query.set("state", state);
  if (template) query.set("template", String(template));
  if (order !== "worst") query.set("sort", order);
  if (after) query.set("after", after);
  return query.size === 0 ? path : `${path}?${query}`;
}
