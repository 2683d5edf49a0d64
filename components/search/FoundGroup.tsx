import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Found } from "@/lib/search/schema.ts";
import { Icon } from "../ui/Icon.tsx";
import { Marked } from "../ui/Marked.tsx";
import { KIND_ICONS } from "../../lib/client/palette/kind_icons.ts";

interface FoundGroupProps {
  ui: Ui;
  projectId: number;
  q: string;
  group: Found["groups"][number];
  /** Whether the page shows only this kind. */
  isAll: boolean;
}

/** Results of one kind: the best hits, and a link to all. */
export function FoundGroup({ ui, projectId, q, group, isAll }: FoundGroupProps) {
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
                <Marked text={hit.name} found={q} />
              </span>
              {hit.detail && (
                <span class="found-detail">
                  <Marked text={hit.detail} found={q} />
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
