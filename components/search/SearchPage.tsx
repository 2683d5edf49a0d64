import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { type Found, QUERY_LENGTH_MAX, type SearchKind } from "../../lib/search/schema.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { Pagination } from "../ui/lists/Pagination.tsx";
import { SearchField } from "../ui/lists/SearchField.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Highlighted } from "../ui/Highlighted.tsx";
import { KIND_ICONS } from "../../lib/client/palette/kind_icons.ts";

interface SearchPageProps {
  ui: Ui;
  project: { id: number; name: string };
  q: string;
  /** Shows only this kind, starting after hit number `skip`. */
  kind?: SearchKind;
  skip: number;
  /** Hits of a kind per page. */
  limit: number;
  before?: number;
  found: Found;
}

/** The search page of a project: the query and its results. */
export function SearchPage(props: SearchPageProps) {
  const { ui, project, q, kind, found } = props;
  const title = ui.t("search.title");
  return (
    <>
      <Title ui={ui} parts={[q, title, project.name]} />
      <PageHeader title={title} />
      <form
        method="get"
        action={ui.href(paths.search(project.id))}
        role="search"
        class="search-form"
        data-stay
      >
        <SearchField
          id="search-q"
          name="q"
          value={q}
          maxLength={QUERY_LENGTH_MAX}
          label={ui.t("search.label", { name: project.name })}
          placeholder={ui.t("search.placeholder")}
          autofocus={q === ""}
        />
        <Button kind="primary" icon="search" class="no-script">{ui.t("search.do")}</Button>
      </form>
      {kind && (
        <p>
          <a href={ui.href(paths.search(project.id, { q }))}>{ui.t("search.all_kinds")}</a>
        </p>
      )}
      {found.groups.map((group, n) => (
        <FoundGroup
          key={n}
          ui={ui}
          projectId={project.id}
          q={q}
          group={group}
          isAll={Boolean(kind)}
        />
      ))}
      <Nothing {...props} />
      <Ways {...props} />
    </>
  );
}

function Nothing({ ui, q, found }: SearchPageProps) {
  if (q === "") return <p class="text-muted">{ui.t("search.about")}</p>;
  if (found.groups.length > 0) return null;
  return (
    <EmptyState icon="search" title={ui.t("search.nothing", { query: q })}>
      <p class="m-0">{ui.t("search.nothing_hint")}</p>
    </EmptyState>
  );
}

/** Links to further pages of a kind, and notes on what was not searched. */
function Ways({ ui, project, q, kind, skip, limit, before, found }: SearchPageProps) {
  const address = (query: object) => ui.href(paths.search(project.id, { q, kind, ...query }));
  const [group] = kind ? found.groups : [];
  const since = found.tasks_since;
  return (
    <>
      {group && (
        <Pagination
          ui={ui}
          newest={skip > 0 ? address({ skip: Math.max(0, skip - limit), before }) : undefined}
          older={skip + limit < group.count ? address({ skip: skip + limit, before }) : undefined}
          labels={[ui.t("lists.previous"), ui.t("lists.next")]}
          shown={{ skipped: skip, rows: group.hits.length, of: { count: group.count } }}
        />
      )}
      {since !== null && (
        <p class="search-note">
          {ui.t("search.tasks_since", { id: since })}{" "}
          <a href={address({ kind: "tasks", before: since })}>{ui.t("search.older_tasks")}</a>
        </p>
      )}
      {!found.all_hosts && <p class="search-note">{ui.t("search.not_all_hosts")}</p>}
    </>
  );
}

interface FoundGroupProps {
  ui: Ui;
  projectId: number;
  q: string;
  group: Found["groups"][number];
  /** Whether the page shows only this kind. */
  isAll: boolean;
}

/** Results of one kind: the best hits, and a link to all. */
function FoundGroup({ ui, projectId, q, group, isAll }: FoundGroupProps) {
  const { kind, count, hits } = group;
  const id = `found-${kind}`;
  return (
    <section class="found" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {ui.t(`search.kinds.${kind}`)} <small>{ui.number(count)}</small>
      </h2>
      <ul class="card">
        {hits.map((hit, n) => (
          <li key={n} id={`${id}-${n}`}>
            <a href={ui.href(hit.page)} data-over={kind === "tasks" || undefined}>
              <Icon name={KIND_ICONS[kind]} />
              <span class="found-name">
                <Highlighted text={hit.name} found={q} />
              </span>
              {hit.detail && (
                <span class="found-detail">
                  <Highlighted text={hit.detail} found={q} />
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      {!isAll && hits.length < count && (
        <p>
          <a href={ui.href(paths.search(projectId, { q, kind }))}>
            {ui.t(`search.all.${kind}`, { count })}
          </a>
        </p>
      )}
    </section>
  );
}
