import { ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface ReviewLinkProps {
  ui: Ui;
  task: TaskView;
}

/** The way to what a task would change, and to where that was not what came of it. */
export function PreviewLink({ ui, task: { project_id, id, preview } }: ReviewLinkProps) {
  const differs = (preview?.unpredicted ?? 0) + (preview?.absent ?? 0) > 0;
  return (
    <a href={ui.href(paths.reviewTask(project_id, id))} data-over>
      {ui.t(differs ? "preview.differs" : "preview.link")}
    </a>
  );
}

/** The way to what is confirmed. Of a preview it goes before the question. */
export const ReviewLink = ({ ui, task: { project_id, id, preview } }: ReviewLinkProps) => (
  <ButtonLink
    kind={preview ? "primary" : "secondary"}
    icon="info"
    href={ui.href(paths.reviewTask(project_id, id))}
    over
  >
    {ui.t("preview.review")}
  </ButtonLink>
);
