import type { TaskAddress } from "@/components/tasks/task_address.ts";
import { ButtonLink } from "@/components/ui/Button.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { MatrixQuery } from "./Matrix.tsx";

interface HostsLayoutProps {
  ui: Ui;
  address: TaskAddress;
  query: MatrixQuery;
  isMatrix: boolean;
}

/** Link between the list of hosts and the matrix. */
export const HostsLayout = ({ ui, address, query, isMatrix }: HostsLayoutProps) => (
  <ButtonLink
    href={address.href("hosts", { ...query, view: isMatrix ? undefined : "matrix" })}
    icon={isMatrix ? "templates" : "dashboard"}
    class="matrix-only"
    stays
  >
    {ui.t(isMatrix ? "results.as_list" : "results.as_matrix")}
  </ButtonLink>
);
