import type { ComponentChildren } from "preact";
import type { Shell } from "../../lib/web/shell.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import LivePage from "../../islands/LivePage.tsx";
import Palette from "../../islands/Palette.tsx";
import type { Viewer } from "./AccountMenu.tsx";
import { Drawer } from "./Drawer.tsx";
import { Alert } from "../ui/Alert.tsx";

interface FrameProps {
  ui: Ui;
  viewer: Viewer;
  shell: Shell | null;
  projects: Shell["projects"];
  lastProjectId: number;
  here: string;
  version: string;
  hasAnsible: boolean;
  /** Whether single-key shortcuts are enabled. */
  shortcuts: boolean;
  /** Groups of sections that this browser folds. */
  folded: readonly string[];
  /** Number of people who wait for approval. Only pages of the server show it. */
  waiting?: number;
  /**
   * The overlay, if there is one. Neither the keyboard nor a screen reader reaches the page below
   * it.
   */
  over?: ComponentChildren;
  children: ComponentChildren;
}

/** A page beside the drawer. */
export function Frame({ viewer, hasAnsible, over, children, ...drawer }: FrameProps) {
  const { ui, shell } = drawer;
  return (
    <div class="with-drawer">
      <Drawer viewer={viewer} {...drawer} covered={Boolean(over)} />
      <main id="main" tabIndex={-1}>
        {/* Text browsers such as w3m know no `main` to skip to. The types know no `name`. */}
        <a {...{ name: "main" } as object} />
        <div class="page" inert={Boolean(over)}>
          {viewer.admin && !hasAnsible && <NoAnsibleBanner ui={ui} />}
          {children}
        </div>
      </main>
      <dialog id="over" class="over" open={Boolean(over)}>{over}</dialog>
      <Palette
        projectId={shell?.project.id ?? 0}
        data={ui.href(paths.palette(shell?.project.id ?? null))}
        search={shell && ui.href(paths.search(shell.project.id))}
      />
      <LivePage
        events={ui.href(paths.events())}
        texts={{
          stopping: ui.t("live.stopping"),
          lost: ui.t("live.lost"),
          signedOut: ui.t("live.signed_out"),
          signIn: ui.t("actions.sign_in"),
          unreachable: ui.t("live.unreachable"),
          close: ui.t("actions.close"),
          copy: {
            failed: ui.t("copy.failed", { message: "{{message}}" }),
            unavailable: ui.t("copy.unavailable"),
          },
          discard: {
            question: ui.t("discard.question"),
            about: ui.t("discard.about"),
            yes: ui.t("discard.yes"),
            no: ui.t("discard.no"),
          },
        }}
      />
    </div>
  );
}

/** Warns admins that tasks cannot run on this server, and explains how to fix it. */
const NoAnsibleBanner = ({ ui }: { ui: Ui }) => (
  <Alert kind="warning" class="mb-4" title={ui.t("shell.no_ansible.title")}>
    <p>{ui.t("shell.no_ansible.text")}</p>
  </Alert>
);
