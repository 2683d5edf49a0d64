import { taskName } from "@/components/results/task_name.ts";
import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { Review } from "@/lib/previews/service.ts";

interface PredictionProps {
  ui: Ui;
  address: TaskAddress;
  preview: NonNullable<Review["preview"]>;
  /** Vault passwords are used, and no one asked for differences. */
  hidesDiffs: boolean;
}

/** Result of a preview, and the parts that it could not predict. */
export function Prediction({ ui, address, preview, hidesDiffs }: PredictionProps) {
  const { hosts, changed_hosts: count, made, unchanged } = preview;
  const Heading = address.isInOverlay ? "h3" : "h2";
  return (
    <section id="prediction" aria-labelledby="prediction-title">
      <Heading id="prediction-title">{ui.t("preview.would_change", { count, hosts })}</Heading>
      {unchanged && <Alert kind="success" class="mb-3">{ui.t("preview.unchanged")}</Alert>}
      <p class="preview-uncertain">{ui.t("preview.uncertain")}</p>
      {made !== null && !preview.complete && (
        <Alert kind="warning" class="mb-3">{ui.t("preview.incomplete")}</Alert>
      )}
      {made === null && <p class="preview-uncertain">{ui.t("preview.runs")}</p>}
      {hidesDiffs && <p class="preview-uncertain">{ui.t("preview.vault_diffs")}</p>}
      <CarriedOut ui={ui} preview={preview} />
      <CheckMode ui={ui} preview={preview} />
      <Unchecked ui={ui} preview={preview} />
    </section>
  );
}

type PartProps = Pick<PredictionProps, "ui" | "preview">;

/** Tasks that the preview itself has carried out. */
function CarriedOut({ ui, preview: { carried_out_tasks: tasks } }: PartProps) {
  if (tasks.length === 0) return null;
  return (
    <Alert kind="warning" title={ui.t("preview.done_title")} class="mb-3">
      <p class="m-0">{ui.t("preview.done_hint")}</p>
      <ul class="preview-list">
        {tasks.map(({ play_task, role, action, hosts: count, changed_hosts }) => (
          <li>
            {taskName({ role, name: play_task, action })} (<code>{visible(action)}</code>),{" "}
            {ui.t("preview.unchecked_hosts", { count })}
            {changed_hosts > 0 && ` (${ui.t("preview.done_changed", { count: changed_hosts })})`}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Stands for further locations that are not listed. */
const MORE = "…";

/** Locations where the play may behave differently outside check mode. */
function CheckMode({ ui, preview: { check_mode: places } }: PartProps) {
  if (places.length === 0) return null;
  return (
    <Alert kind="warning" title={ui.t("preview.check_mode_title")} class="mb-3">
      <p class="m-0">{ui.t("preview.check_mode_hint")}</p>
      <ul class="preview-list">
        {places.map((address) => (
          <li>
            {address === MORE ? ui.t("preview.check_mode_more") : <code>{visible(address)}</code>}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Unchecked({ ui, preview: { unchecked } }: PartProps) {
  if (unchecked.length === 0) return null;
  return (
    <Alert kind="warning" title={ui.t("preview.unchecked_title")} class="mb-3">
      <p class="m-0">{ui.t("preview.unchecked_hint")}</p>
      <ul class="preview-list">
        {unchecked.map(({ play_task, action, hosts: count }) => (
          <li>
            {visible(play_task)} (<code>{visible(action)}</code>),{" "}
            {ui.t("preview.unchecked_hosts", { count })}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
