import type { TaskPlace } from "@/components/tasks/task_place.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { Review } from "@/lib/previews/service.ts";

interface PredictionProps {
  ui: Ui;
  place: TaskPlace;
  preview: NonNullable<Review["preview"]>;
}

/** What a preview comes to, and of what nobody knows. */
export function Prediction({ ui, place, preview }: PredictionProps) {
  const { hosts, changed_hosts: count, made, unchanged } = preview;
  const Heading = place.isOver ? "h3" : "h2";
  return (
    <section id="prediction" aria-labelledby="prediction-title">
      <Heading id="prediction-title">{ui.t("preview.would_change", { count, hosts })}</Heading>
      {unchanged && <Alert kind="success" class="mb-3">{ui.t("preview.unchanged")}</Alert>}
      <p class="preview-uncertain">{ui.t("preview.uncertain")}</p>
      {made !== null && !preview.complete && (
        <Alert kind="warning" class="mb-3">{ui.t("preview.incomplete")}</Alert>
      )}
      <Unchecked ui={ui} preview={preview} />
    </section>
  );
}

function Unchecked({ ui, preview: { unchecked } }: Pick<PredictionProps, "ui" | "preview">) {
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
