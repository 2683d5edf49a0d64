import type { Ui } from "../../lib/i18n/ui.ts";
import { Time } from "../ui/Time.tsx";
import { LogLink } from "./TaskTable.tsx";

interface LatestTaskProps {
  ui: Ui;
  /** The page that its log opens over. */
  page: string;
  id: number;
  at: string | null;
}

/** The latest task of a row, and its time. */
export const LatestTask = ({ ui, page, id, at }: LatestTaskProps) => (
  <span class="latest-task">
    <LogLink ui={ui} page={page} id={id} />
    <Time ui={ui} at={at} />
  </span>
);
