import { Diff } from "./Diff.tsx";
import { FullResult } from "./FullResult.tsx";
import { LineLink } from "./LineLink.tsx";
import { ResultChip } from "./ResultChip.tsx";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { IconLink } from "@/components/ui/Button.tsx";
import { Fact, Facts } from "@/components/ui/Facts.tsx";
import { Time } from "@/components/ui/Time.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { FullHostResult, HostResultView } from "@/lib/results/schema.ts";

interface ResultPanelProps {
  ui: Ui;
  address: TaskAddress;
  result: FullHostResult;
  /** Number of results of this task whose full answers were not stored for lack of space. */
  dropped: number;
  /** Address of its close button. */
  close: string;
}

/** Result of an Ansible task on a host, with everything that it reported. */
export function ResultPanel({ ui, address, result, dropped, close }: ResultPanelProps) {
  const { host, play_task, message, items, item_results, diff, hidden } = result;
  const isFull = result.result !== null;
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <section id="result" class="card result-panel" tabIndex={-1} aria-labelledby="result-title">
      <div class="dialog-head">
        <Heading id="result-title">
          {visible(play_task)} <span class="text-muted">{visible(host)}</span>
        </Heading>
        <IconLink icon="close" label={ui.t("results.close")} href={close} stays />
      </div>
      <ResultFacts ui={ui} address={address} result={result} />
      {hidden && <p>{ui.t("results.hidden")}</p>}
      {!isFull && !hidden && dropped > 0 && <p>{ui.t("full_result.dropped", { count: dropped })}
      </p>}
      {message && !isFull && <pre class="result-text">{visible(message)}</pre>}
      {items && <ItemCounts ui={ui} items={items} />}
      {item_results.length > 0 && !isFull && <Items ui={ui} items={item_results} />}
      {diff && <Diff diff={diff} label={ui.t("results.diff")} />}
      <FullResult ui={ui} result={result} />
    </section>
  );
}

function ResultFacts({ ui, address, result }: Omit<ResultPanelProps, "close" | "dropped">) {
  const { status, start, duration_ms, line, delegated_to } = result;
  return (
    <Facts>
      <Fact label={ui.t("results.state")}>
        <ResultChip ui={ui} status={status} />
      </Fact>
      <Fact label={ui.t("tasks.started")}>
        <Time ui={ui} at={start} />
      </Fact>
      <Fact label={ui.t("full_result.ended")}>
        <Time ui={ui} at={new Date(Date.parse(start) + duration_ms).toISOString()} />
      </Fact>
      <Fact label={ui.t("results.duration")}>{ui.exactDuration(duration_ms)}</Fact>
      <Fact label={ui.t("results.delegated")}>{delegated_to && visible(delegated_to)}</Fact>
      <Fact label={ui.t("task_log.label")}>
        {line !== null && <LineLink ui={ui} address={address} line={line} />}
      </Fact>
    </Facts>
  );
}

const ITEM_STATES = ["failed", "changed", "ok", "skipped"] as const;

const ItemCounts = ({ ui, items }: { ui: Ui; items: NonNullable<HostResultView["items"]> }) => (
  <p>
    {ui.labelled(
      ui.t("results.items"),
      ui.list(
        ITEM_STATES.filter((state) => items[state] > 0)
          .map((state) => `${ui.number(items[state])} ${ui.t(`results.status.${state}`)}`),
      ),
    )}
  </p>
);

/** Items of a loop whose result is not just "ok". */
const Items = ({ ui, items }: { ui: Ui; items: HostResultView["item_results"] }) => (
  <ul class="result-items">
    {items.map(({ status, label, message }, n) => (
      <li key={n}>
        <ResultChip ui={ui} status={status as HostResultView["status"]} />{" "}
        <code>{visible(label)}</code> {visible(message)}
      </li>
    ))}
  </ul>
);
