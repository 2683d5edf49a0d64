import { Button } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

interface CheckButtonProps {
  ui: Ui;
  projectId: number;
  templateId: number;
  kind?: "primary";
}

/** Starts a check of a template's hosts. */
export const CheckButton = ({ ui, projectId, templateId, kind }: CheckButtonProps) => (
  <form method="post" action={ui.href(paths.checkTemplate(projectId, templateId))} data-stay>
    <Button icon="drift" kind={kind}>{ui.t("drift.check_now")}</Button>
  </form>
);
