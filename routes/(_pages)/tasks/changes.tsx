import { ChangeList } from "@/components/results/Change.tsx";
import { DiffsOff, NothingChanged } from "@/components/results/NoChanges.tsx";
import { Ways } from "@/components/results/Ways.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { getRunModes } from "@/lib/results/changes.ts";
import { listRunHosts } from "@/lib/results/service.ts";
import { isFinished } from "@/lib/model/status.ts";
import { may } from "@/lib/web/shell.ts";
import { pageOfChanges, shownChanges } from "./change_page.tsx";
import { showChangedHosts } from "./changed_hosts.tsx";
import type { TabAsked, TaskTab } from "./tab.ts";

/** Tab with the actual or predicted changes. */
export const CHANGES_TAB: TaskTab = { name: "changes", count: countChanges, show: showChanges };

function countChanges({ state: { ui }, run }: TabAsked) {
  const count = run.counts.changed ?? 0;
  if (count === 0) return undefined;
  return { number: ui.number(count), label: ui.t("changes.count", { count }) };
}

async function showChanges(asked: TabAsked) {
  const { state: { ui, scope, shell }, task, address, which } = asked;
  const modes = await getRunModes(scope, task.id, which);
  const { changes, isFirst, wholeOf, pages } = await pageOfChanges(asked, "changes");
  const isOver = isFinished(task.status);
  if (changes.length === 0 && isFirst) return <NothingChanged {...{ ui, isOver, ...modes }} />;
  const by = address.asked.get("by") === "host" ? "host" : "task";
  const { hosts } = modes.check ? await listRunHosts(scope, task.id, which) : { hosts: [] };
  const isDone = hosts.some(({ carried_out }) => carried_out > 0);
  // Known differences come first, so if the first page has none, there are none.
  const isBlind = !modes.diff && isFirst && changes.every(({ diff }) => diff === "");
  return (
    <>
      {modes.check && (
        <Alert class="mb-3">
          {isDone
            ? ui.t(which.preview ? "preview.would_besides" : "changes.would_besides")
            : ui.t(which.preview ? "preview.would" : "changes.would")}
        </Alert>
      )}
      {isBlind && <DiffsOff ui={ui} task={task} mayRun={may(shell, "run_tasks")} />}
      <Ways
        id="changes"
        label={ui.t("changes.by")}
        ways={["task", "host"].map((name) => ({
          name,
          text: ui.t(`changes.by_${name}`),
          href: address.href("changes", { by: name === "host" ? name : undefined }),
          current: name === by,
        }))}
      />
      {by === "host" ? await showChangedHosts(asked) : (
        <>
          <ChangeList {...{ ui, address, wholeOf }} changes={await shownChanges(asked, changes)} />
          {pages}
        </>
      )}
    </>
  );
}
