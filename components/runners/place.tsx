import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Breadcrumb, Title } from "../ui/Page.tsx";

/** The project whose runners a page is about, or the server. */
export interface RunnersPlace {
  /** Null for the server. */
  projectId: number | null;
  /** Name of the project, or of the server's pages. */
  name: string;
  mayManage: boolean;
}

interface RunnersTitleProps {
  ui: Ui;
  place: RunnersPlace;
  /** Names from the page outwards to the list of runners. */
  parts?: string[];
}

export const RunnersTitle = ({ ui, place, parts = [] }: RunnersTitleProps) => (
  <Title ui={ui} parts={[...parts, ui.t("runners.title"), place.name]} />
);

/** Leads back to the list of runners. */
export const RunnersCrumb = ({ ui, place }: { ui: Ui; place: RunnersPlace }) => (
  <Breadcrumb
    ui={ui}
    crumbs={[{ label: ui.t("runners.title"), href: ui.href(paths.runners(place.projectId)) }]}
  />
);
