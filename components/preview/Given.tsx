import { factLabel, valueText } from "@/components/compare/Facts.tsx";
import type { TaskPlace } from "@/components/tasks/task_place.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { Review } from "@/lib/previews/service.ts";

interface GivenProps {
  ui: Ui;
  place: TaskPlace;
  review: Review;
}

/**
 * Facts of the task to confirm, such as the commit, the inventory, the variables and who started
 * it.
 */
export function Given({ ui, place, review: { task, facts } }: GivenProps) {
  const Heading = place.isOver ? "h3" : "h2";
  const secrets = task.secret_names ?? [];
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
