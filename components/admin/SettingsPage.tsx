import { paths } from "../../lib/base/paths.ts";
import { matcherOf } from "../../lib/base/lists/table_state.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SettingSection, SettingView } from "../../lib/web/system/settings.ts";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { FilterBar } from "../ui/lists/FilterBar.tsx";
import { Prose } from "../ui/Prose.tsx";
import { AdminHeader } from "./AdminHeader.tsx";

interface SettingsPageProps {
  ui: Ui;
  sections: SettingSection[];
  /** Words that the shown settings contain; empty for all. */
  q: string;
}

/** The settings of this server, which only its environment can change. */
export function SettingsPage({ ui, sections, q }: SettingsPageProps) {
  const matches = matcherOf(q);
  const found = sections.map(({ title, settings }) => ({
    title,
    settings: settings.filter((setting) => matches(textsOf(ui, setting))),
  })).filter(({ settings }) => settings.length > 0);
  const path = ui.href(paths.adminSettings());
  const [shown, total] = [found, sections].map((all) => all.flatMap(({ settings }) => settings));
  return (
    <>
      <AdminHeader ui={ui} title={ui.t("admin.settings")} />
      <p class="max-w-2xl">{ui.t("admin.settings_about")}</p>
      <FilterBar
        ui={ui}
        id="settings"
        action={path}
        search={{ value: q, label: ui.t("actions.filter") }}
        isFiltered={q !== ""}
        count={q && ui.t("lists.shown_of", { rows: shown.length, total: total.length })}
      />
      <div id="settings" class="grid grid-cols-1 gap-6">
        {found.map(({ title, settings }, n) => (
          <section key={n} class="card">
            <h2 class="m-0" lang="en">{title}</h2>
            <dl class="settings">
              {settings.map((setting, n) => <Setting key={n} ui={ui} setting={setting} />)}
            </dl>
          </section>
        ))}
        {found.length === 0 && (
          <EmptyState icon="filter" title={ui.t("search.nothing", { query: q })}>
            <a href={path} data-stay>{ui.t("lists.clear_filter")}</a>
          </EmptyState>
        )}
      </div>
    </>
  );
}

/** Returns what a filter finds a setting by: its texts, but no secret. */
const textsOf = (ui: Ui, { name, meaning, value, source }: SettingView): string[] => [
  name,
  meaning,
  typeof value === "string" ? value : "",
  ui.t(`admin.source.${source}`),
];

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
          <span class={`chip chip-${source === "default" ? "neutral" : "info"}`}>
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
