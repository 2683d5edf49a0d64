import type { Ui } from "../../lib/i18n/ui.ts";
import type { SettingSection, SettingView } from "../../lib/web/system/settings.ts";
import { Prose } from "../ui/Prose.tsx";
import { AdminHeader } from "./AdminHeader.tsx";

interface SettingsPageProps {
  ui: Ui;
  sections: SettingSection[];
}

/** The settings of this server, which only its environment can change. */
export const SettingsPage = ({ ui, sections }: SettingsPageProps) => (
  <>
    <AdminHeader ui={ui} title={ui.t("admin.settings")} />
    <p class="max-w-2xl">{ui.t("admin.settings_about")}</p>
    <div class="grid grid-cols-1 gap-6">
      {sections.map(({ title, settings }, n) => (
        <section key={n} class="card">
          <h2 class="m-0" lang="en">{title}</h2>
          <dl class="settings">
            {settings.map((setting, n) => <Setting key={n} ui={ui} setting={setting} />)}
          </dl>
        </section>
      ))}
    </div>
  </>
);

function Setting({ ui, setting }: { ui: Ui; setting: SettingView }) {
  const { name, value, source, meaning } = setting;
  return (
    <div class="setting" id={name}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd class="setting-value">
        {typeof value === "string"
          ? <code>{value}</code>
          : <span class="text-muted">{ui.t(value ? "admin.set" : "admin.not_set")}</span>}{" "}
        {value !== null && (
          <span class={`chip chip-${source === "environment" ? "info" : "neutral"}`}>
            {ui.t(`admin.source.${source}`)}
          </span>
        )}
      </dd>
      <dd class="setting-meaning">
        <Prose text={meaning} />
      </dd>
    </div>
  );
}
