import type { TaskPlace } from "@/components/tasks/task_place.ts";
import { ButtonLink } from "@/components/ui/Button.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { MatrixQuery } from "./Matrix.tsx";

interface HostViewsProps {
  ui: Ui;
  place: TaskPlace;
  query: MatrixQuery;
  isMatrix: boolean;
}

/** The way from the list of hosts to the matrix, and back. */
export const HostViews = ({ ui, place, query, isMatrix }: HostViewsProps) => (
  <ButtonLink
    href={place.href("hosts", { ...query, view: isMatrix ? undefined : "matrix" })}
    icon={isMatrix ? "templates" : "dashboard"}
    class="matrix-only"
    stays
  >
    {ui.t(isMatrix ? "results.as_list" : "results.as_matrix")}
  </ButtonLink>
);
