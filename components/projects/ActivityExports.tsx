import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

interface ActivityExportsProps {
  ui: Ui;
  projectId: number | null;
  /** Query string of the shown events. */
  search: URLSearchParams;
}

/** Links that download the shown events, and older ones. */
export function ActivityExports({ ui, projectId, search }: ActivityExportsProps) {
  const link = (format: "csv" | "jsonl", label: string) => (
    <a href={`${ui.href(paths.exportEvents(projectId, format))}?${search}`} download>{label}</a>
  );
  return (
    <p class="text-sm mt-4">
      {ui.t("activity.export")} {link("csv", "CSV")} · {link("jsonl", ui.t("activity.json_lines"))}
    </p>
  );
}
