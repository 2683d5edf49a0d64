import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import { PageHeader, Title } from "../ui/Page.tsx";

interface AdminHeaderProps {
  ui: Ui;
  title: string;
  actions?: ComponentChildren;
}

/** The document's title and the heading of a page of the server. */
export const AdminHeader = ({ ui, title, actions }: AdminHeaderProps) => (
  <>
    <Title ui={ui} parts={[title, ui.t("admin.title")]} />
    <PageHeader title={title} actions={actions} />
  </>
);
