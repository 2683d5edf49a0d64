import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn } from "@/components/ui/lists/columns.tsx";
import { FilterBar } from "@/components/ui/lists/FilterBar.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { Time } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Fact, FactChange } from "@/lib/hosts/flat_facts.ts";
import { HOST_QUERY_LENGTH_MAX, type HostFacts as Facts } from "@/lib/hosts/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";

export interface ShownFacts extends Pick<Facts, "task_id" | "gathered" | "since_task_id"> {
  changes: FactChange[];
  /** The facts that are shown, and the number of others that match the filter. */
  found: Fact[];
  more: number;
  /** Parts of a name or value; empty for all. */
  q: string;
  /** Number of values that are cut off. */
  shortened: number;
}

interface HostFactsProps {
  ui: Ui;
  projectId: number;
  /** Complete path of the page. */
  action: string;
  facts: ShownFacts;
}

/** The facts of a host and their history. Renders nothing if no task has gathered facts. */
export function HostFacts({ ui, projectId, action, facts }: HostFactsProps) {
  const { task_id, gathered, since_task_id, changes, found, more, q, shortened } = facts;
  if (task_id === null || gathered === null) return null;
  return (
    <section id="facts" class="host-facts" aria-labelledby="facts-title">
      <h2 id="facts-title">{ui.t("facts.title")}</h2>
      <dl class="task-facts">
        <div>
          <dt>{ui.t("facts.by")}</dt>
          <dd>
            <a href={ui.href(paths.taskPage(projectId, task_id))}>#{task_id}</a>
          </dd>
        </div>
        <div>
          <dt>{ui.t("facts.at")}</dt>
          <dd>
            <Time ui={ui} at={gathered} />
          </dd>
        </div>
      </dl>
      {since_task_id !== null && <Changes ui={ui} changes={changes} since={since_task_id} />}
      <h3>{ui.t("facts.all")}</h3>
      <FilterBar
        ui={ui}
        id="facts"
        action={action}
        search={{
          name: "facts",
          value: q,
          label: ui.t("facts.filter"),
          maxLength: HOST_QUERY_LENGTH_MAX,
        }}
        isFiltered={q !== ""}
      />
      {found.length > 0
        ? (
          <Table
            caption={ui.t("facts.all")}
            columns={columnsOf(ui)}
            rows={numbered(found)}
            rowId={idOf}
          />
        )
        : <p>{ui.t("facts.none", { q })}</p>}
      {more > 0 && <p class="text-muted">{ui.t("facts.more", { count: more })}</p>}
      {shortened > 0 && <p class="text-muted">{ui.t("full_result.cut", { count: shortened })}</p>}
    </section>
  );
}

/** Hosts choose the names of facts, so names are not safe as ids. */
type Numbered<Row> = Row & { n: number };
const numbered = <Row,>(rows: Row[]): Numbered<Row>[] => rows.map((row, n) => ({ ...row, n }));
const idOf = ({ n }: { n: number }) => `fact-${n}`;

const columnsOf = (ui: Ui): Column<Numbered<Fact>>[] => [
  nameColumn(ui, "facts.fact", ({ name }) => name, { code: true }),
  { label: ui.t("facts.value"), kind: "text", cell: ({ text }) => visible(text) },
];

function Changes({ ui, changes, since }: { ui: Ui; changes: FactChange[]; since: number }) {
  if (changes.length === 0) return <p>{ui.t("facts.same", { id: since })}</p>;
  const title = ui.t("facts.changes", { id: since });
  return (
    <>
      <h3>{title}</h3>
      <Table
        caption={title}
        columns={changeColumns(ui)}
        rows={numbered(changes)}
        rowId={({ n }) => `fact-change-${n}`}
      />
    </>
  );
}

const changeColumns = (ui: Ui): Column<Numbered<FactChange>>[] => [
  nameColumn(ui, "facts.fact", ({ name }) => name, { code: true }),
  { label: ui.t("facts.change"), cell: ({ change }) => ui.t(`facts.${change}`) },
  {
    label: ui.t("facts.before"),
    kind: "text",
    cell: ({ before }) => before === null ? <Dash /> : visible(before),
  },
  {
    label: ui.t("facts.after"),
    kind: "text",
    cell: ({ after }) => after === null ? <Dash /> : visible(after),
  },
];
