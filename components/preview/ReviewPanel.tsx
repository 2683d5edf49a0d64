import type { ComponentChildren } from "preact";
import { Prediction } from "./Prediction.tsx";
import { ChangeList, type ChangeListProps } from "@/components/results/Change.tsx";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { hasFailedPreview } from "@/lib/tasks/preview_state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Review } from "@/lib/previews/service.ts";
import { factLabel, valueText } from "@/components/compare/Facts.tsx";
import { taskName } from "@/components/results/task_name.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import { visible } from "@/lib/i18n/visible.ts";
import type { Difference } from "@/lib/previews/schema.ts";

interface ReviewPanelProps {
  ui: Ui;
  address: TaskAddress;
  review: Review;
  /** Some of the predicted changes, and links to others. */
  list: Pick<ChangeListProps, "changes" | "wholeOf">;
  pages: ComponentChildren;
}

/**
 * A task that waits for confirmation with its predicted changes, and afterwards the differences.
 */
export function ReviewPanel(props: ReviewPanelProps) {
  const { ui, address, review, list, pages } = props;
  const { task, preview } = review;
  return (
    <div id="review" class={preview ? "review" : undefined} tabIndex={-1}>
      {preview && <Outcome {...{ ui, address, task, preview }} />}
      <Failures ui={ui} review={review} />
      {preview && (
        <Prediction
          {...{ ui, address, preview }}
          hidesDiffs={task.vaults.length > 0 && !task.diff}
        />
      )}
      <Given ui={ui} address={address} review={review} />
      {preview && (
        <div class="review-changes">
          <ChangeList {...{ ui, address }} {...list} isApart={preview.confirmed_by !== ""} />
          {pages}
        </div>
      )}
    </div>
  );
}

/** The first failures of a preview that failed, and who may go on in spite of them. */
function Failures({ ui, review: { task, failures, mayGoOn } }: { ui: Ui; review: Review }) {
  if (!hasFailedPreview(task)) return null;
  return (
    <Alert kind="danger" title={ui.t("preview.failed_title")} class="mb-3">
      <ul class="preview-list">
        {failures.map(({ id, host, play_task, message }) => (
          <li key={id}>
            <strong>{visible(host)}</strong>: {visible(play_task)}: {visible(message)}
          </li>
        ))}
      </ul>
      {task.status === "waiting_confirmation" && (
        <p class="m-0">{ui.t(mayGoOn ? "preview.failed_hint" : "errors.preview.manager")}</p>
      )}
    </Alert>
  );
}

interface GivenProps {
  ui: Ui;
  address: TaskAddress;
  review: Review;
}

/**
 * Facts of the task to confirm, such as the commit, the inventory, the variables and who started
 * it.
 */
function Given({ ui, address, review: { task, facts } }: GivenProps) {
  const Heading = address.isInOverlay ? "h3" : "h2";
  const secrets = task.secret_names;
  return (
    <section id="review-given" class="card review-given" aria-labelledby="review-given-title">
      <Heading id="review-given-title">{ui.t("preview.given")}</Heading>
      {task.preview && task.status === "waiting_confirmation" && (
        <p class="preview-uncertain">
          {ui.t("preview.waits")} {task.commit_hash === null && ui.t("preview.unpinned")}
        </p>
      )}
      <dl>
        {facts.map((fact) => (
          <div>
            <dt>{factLabel(ui, fact)}</dt>
            <dd>{valueText(ui, fact.run)}</dd>
          </div>
        ))}
      </dl>
      {secrets.length > 0 && <p>{ui.t("preview.secret_answers", { names: ui.list(secrets) })}</p>}
    </section>
  );
}

interface OutcomeProps {
  ui: Ui;
  address: TaskAddress;
  task: Review["task"];
  preview: NonNullable<Review["preview"]>;
}

/** Differences between the outcome and the preview. */
function Outcome({ ui, address, task, preview }: OutcomeProps) {
  const { differences, unpredicted, absent, confirmed_by } = preview;
  if (!differences) return null;
  const isSame = differences.items.length === 0;
  const name = task.preview?.confirmers?.map(ui.person).join(", ") ?? visible(confirmed_by);
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <section id="outcome" aria-labelledby="outcome-title">
      <Heading id="outcome-title">{ui.t("preview.differences_title")}</Heading>
      <Alert kind={isSame ? "success" : "warning"} class="mb-3">
        {isSame && <p class="preview-verdict">{ui.t("preview.as_predicted")}</p>}
        {unpredicted > 0 && (
          <p class="preview-verdict">{ui.t("preview.unpredicted", { count: unpredicted })}</p>
        )}
        {absent > 0 && <p class="preview-verdict">{ui.t("preview.absent", { count: absent })}</p>}
        {differences.partial && <p class="m-0">{ui.t("preview.partial")}</p>}
        <p class="m-0">{ui.t("preview.confirmed_by", { name })}</p>
      </Alert>
      {!isSame && <Differences ui={ui} items={differences.items} />}
    </section>
  );
}

/** Ansible tasks whose outcome differed from the preview on some hosts. */
const Differences = ({ ui, items }: { ui: Ui; items: Difference[] }) => (
  <ul class="preview-differences">
    {items.map(({ kind, play_task, role, unchecked, hosts, more }, n) => (
      <li key={n}>
        <span class={`preview-kind preview-${kind}`}>
          {ui.t(`preview.kind.${kind}`)}
        </span>
        <strong>{taskName({ role, name: play_task, action: "" })}</strong>
        {unchecked && <span class="text-muted">({ui.t("preview.left_out")})</span>}
        <span class="preview-hosts">
          {ui.list(hosts.map(visible))}
          {more > 0 && ` ${ui.t("preview.and_more", { count: more })}`}
        </span>
      </li>
    ))}
  </ul>
);
