import type { ComponentChildren } from "preact";
import type { Shell } from "../../lib/web/pages/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { NoAnsibleBanner } from "./Banner.tsx";
import type { Viewer } from "./AccountMenu.tsx";
import { Drawer } from "./Drawer.tsx";

interface FrameProps {
  ui: Ui;
  viewer: Viewer;
  shell: Shell | null;
  projects: Shell["projects"];
  lastProjectId: number;
  here: string;
  version: string;
  hasAnsible: boolean;
  /** What lies over the page, where something does: neither keys nor readers get below it. */
  over?: ComponentChildren;
  children: ComponentChildren;
}

/** A page beside the drawer. */
export function Frame({ viewer, hasAnsible, over, children, ...drawer }: FrameProps) {
  return (
    <div class="with-drawer">
      <Drawer viewer={viewer} {...drawer} covered={Boolean(over)} />
      <main id="main" tabIndex={-1}>
        {over}
        <div class="page" inert={Boolean(over)}>
          {viewer.admin && !hasAnsible && <NoAnsibleBanner ui={drawer.ui} />}
          {children}
        </div>
      </main>
    </div>
  );
}
