import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";

/** Warns admins that tasks cannot run on this server, and explains how to fix it. */
export const NoAnsibleBanner = ({ ui }: { ui: Ui }) => (
  <Alert kind="warning" class="mb-4" title={ui.t("shell.no_ansible.title")}>
    <p>{ui.t("shell.no_ansible.text")}</p>
  </Alert>
);
