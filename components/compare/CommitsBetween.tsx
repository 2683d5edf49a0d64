import { ButtonLink } from "../ui/Button.tsx";
import { Time } from "../ui/Time.tsx";
import type { CommitsPart, Pair } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";

interface CommitsBetweenProps extends Pair {
  ui: Ui;
  /** Complete path of the page. */
  page: string;
  commits: CommitsPart | null;
}

/** The commits between the two tasks. */
export function CommitsBetween({ ui, page, run, base, commits }: CommitsBetweenProps) {
  if (!commits) return null;
  const { commits: listed, isMore, isBack, reason, mayFetch } = commits;
  const fetch = `${page}?${new URLSearchParams({ a: `${run.id}`, b: `${base.id}`, fetch: "1" })}`;
  return (
    <section id="compare-commits" aria-labelledby="compare-commits-title">
      <h2 id="compare-commits-title">
        {ui.t(isBack ? "compare.commits_back" : "compare.commits")}
      </h2>
      {reason && <p class="text-muted">{ui.t(reason.key, reason.params)}</p>}
      {mayFetch && <ButtonLink href={fetch} stays>{ui.t("compare.fetch")}</ButtonLink>}
      <ul class="compare-list">
        {listed.map(({ hash, author, time, subject }) => (
          <li>
            <code>{hash.slice(0, 10)}</code> <span>{visible(subject)}</span>{" "}
            <span class="text-muted">
              {visible(author)} <Time ui={ui} at={time} />
            </span>
          </li>
        ))}
      </ul>
      {isMore && <p class="text-muted">{ui.t("compare.more_commits")}</p>}
    </section>
  );
}
