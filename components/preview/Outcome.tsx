import { taskName } from "@/components/results/task_name.ts";
import type { TaskPlace } from "@/components/tasks/task_place.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { Difference } from "@/lib/previews/schema.ts";
import type { Review } from "@/lib/previews/service.ts";

interface OutcomeProps {
  ui: Ui;
  place: TaskPlace;
  preview: NonNullable<Review["preview"]>;
}

/** Differences between the outcome and the preview. */
export function Outcome({ ui, place, preview }: OutcomeProps) {
  const { differences, unpredicted, absent, confirmed_by: name } = preview;
  if (!differences) return null;
  const isSame = differences.items.length === 0;
  const Heading = place.isOver ? "h3" : "h2";
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
        <p class="m-0">{ui.t("preview.confirmed_by", { name: visible(name) })}</p>
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
