import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Breadcrumb, type Crumb, Title } from "../ui/Page.tsx";

/** The project whose alerts a page is about, or the server. */
export interface AlertsPlace {
  /** Null for the server. */
  projectId: number | null;
  /** Name of the project, or of the server's pages. */
  name: string;
  /** Whether alerts without rules are enabled. */
  alert: boolean;
  /** Whether the viewer may change that. */
  mayChange: boolean;
  /** Whether the server knows its address, which links of alerts begin with. */
  hasAddress: boolean;
  /** Whether the viewer may let targets be in private networks. */
  mayAllowPrivate: boolean;
}

interface AlertsTitleProps {
  ui: Ui;
  place: AlertsPlace;
  /** Names from the page outwards to the list of targets and rules. */
  parts?: string[];
}

export const AlertsTitle = ({ ui, place, parts = [] }: AlertsTitleProps) => (
  <Title ui={ui} parts={[...parts, ui.t("sections.alerts"), place.name]} />
);

interface AlertsCrumbsProps {
  ui: Ui;
  place: AlertsPlace;
  /** The page between the list and this one. */
  then?: Crumb;
}

/** Leads back to the list of targets and rules. */
export const AlertsCrumbs = ({ ui, place, then }: AlertsCrumbsProps) => (
  <Breadcrumb
    ui={ui}
    crumbs={[
      { label: ui.t("sections.alerts"), href: ui.href(paths.alerts(place.projectId)) },
      ...then ? [then] : [],
    ]}
  />
);
