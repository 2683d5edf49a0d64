import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskPreview } from "@/lib/previews/schema.ts";
import { SomeHosts } from "./Prediction.tsx";

/** Where what was carried out was not what the preview had predicted. */
export function Outcome({ ui, preview }: { ui: Ui; preview: TaskPreview }) {
  const { differences, unpredicted, absent, confirmed_by: name } = preview;
  if (!differences) return null;
  return (
    <section id="outcome" aria-labelledby="outcome-title">
      <h2 id="outcome-title">{ui.t("preview.differences_title")}</h2>
      <p>
        {ui.t("preview.confirmed_by", { name })}{" "}
        {unpredicted > 0 && ui.t("preview.unpredicted", { count: unpredicted })}{" "}
        {absent > 0 && ui.t("preview.absent", { count: absent })}
        {differences.items.length === 0 && ui.t("preview.as_predicted")}
      </p>
      {differences.partial && <p>{ui.t("preview.partial")}</p>}
      {differences.items.length > 0 && (
        <div class="table-frame">
          <table class="compare-table">
            <caption class="sr-only">{ui.t("preview.differences_title")}</caption>
            <thead>
              <tr>
                <th scope="col">{ui.t("preview.play_task")}</th>
                <th scope="col">{ui.t("preview.what")}</th>
                <th scope="col">{ui.t("preview.hosts")}</th>
              </tr>
            </thead>
            <tbody>
              {differences.items.map(({ kind, play_task, role, unchecked, hosts, more }) => (
                <tr>
                  <th scope="row">{visible(role ? `${role}: ${play_task}` : play_task)}</th>
                  <td>
                    {ui.t(`preview.kind.${kind}`)}
                    {unchecked && ` (${ui.t("preview.left_out")})`}
                  </td>
                  <td>
                    <SomeHosts ui={ui} hosts={hosts} more={more} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
