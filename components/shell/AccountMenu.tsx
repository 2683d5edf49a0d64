import { Icon } from "../ui/Icon.tsx";
import { personWith } from "../../lib/base/person.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

/** The signed-in user. */
export interface Viewer {
  id: number;
  name: string;
  admin: boolean;
  mayCreateProjects: boolean;
}

interface AccountMenuProps {
  ui: Ui;
  viewer: Viewer;
  version: string;
  /** Whether single-key shortcuts are enabled. The script reads it from the page. */
  shortcuts: boolean;
}

/** The signed-in user, and the button to sign out. */
export function AccountMenu({ ui, viewer, version, shortcuts }: AccountMenuProps) {
  return (
    <div>
      <button type="button" class="drawer-account" popovertarget="account-menu">
        <Icon name="user" />
        <span class="truncate flex-1 text-left">{ui.person(personWith(viewer))}</span>
        {viewer.admin && <span class="admin-chip">{ui.t("shell.admin")}</span>}
      </button>
      <div id="account-menu" class="drawer-menu drawer-menu-bottom" popover="auto">
        <p class="drawer-menu-note">{`${ui.t("app.name")} ${version}`}</p>
        {viewer.admin && (
          <a href={ui.href(paths.admin())}>
            <Icon name="system" />
            {ui.t("admin.title")}
          </a>
        )}{" "}
        <a href={ui.href(paths.account())}>
          <Icon name="edit" />
          {ui.t("account.edit")}
        </a>{" "}
        <a
          href={ui.href(paths.shortcuts())}
          data-over
          data-shortcuts={shortcuts ? "on" : "off"}
        >
          <Icon name="keyboard" />
          {ui.t("shortcuts.title")}
        </a>{" "}
        <a href={ui.href(paths.apiDocs())}>
          <Icon name="docs" />
          {ui.t("docs.link")}
        </a>
        <form method="post" action={ui.href(paths.signOut())}>
          <button type="submit">
            <Icon name="sign_out" />
            {ui.t("actions.sign_out")}
          </button>
        </form>
      </div>
    </div>
  );
}
