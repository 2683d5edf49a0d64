import { asset } from "fresh/runtime";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import "@/components/ui/all_icons.ts";
import { Flash } from "@/components/shell/Flash.tsx";
import { MaintenanceNotice } from "@/components/shell/MaintenanceNotice.tsx";
import { THEME } from "@/components/ui/theme.ts";
import { htmlLanguage } from "@/lib/i18n/catalogs.ts";
import { define } from "@/lib/web/state.ts";
import { shownMaintenance } from "@/lib/web/maintenance.ts";
import { leaveTo, type OtherPage } from "@/lib/web/other_page.ts";
import { shownZones, zoneScript } from "@/lib/web/pages/request_ui.ts";
import { readFlash } from "@/lib/web/pages/flash.ts";
import { sheetsOf } from "@/lib/web/pages/sheets.ts";

/** HTML document around every page. */
export default define.page(({ Component, state, req, error }) => {
  const { ui, otherPage } = state;
  const flash = readFlash(req.headers);
  const [light, dark] = THEME.page;
  // Rendered first, because the head links the style sheets of what it shows.
  const page = renderToString(<Component />);
  return (
    <html
      lang={htmlLanguage(ui.language)}
      data-theme={ui.theme === "system" ? undefined : ui.theme}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={ui.theme === "system" ? "light dark" : ui.theme} />
        {ui.theme !== "dark" && <meta name="theme-color" content={light} />}
        {ui.theme !== "light" && (
          <meta name="theme-color" content={dark} media="(prefers-color-scheme: dark)" />
        )}
        <link rel="icon" type="image/svg+xml" href={ui.href(asset("/logo.svg"))} />
        {/* The policy of error pages allows no scripts. */}
        {!error && (
          <script
            dangerouslySetInnerHTML={{
              __html: zoneScript(ui.href(""), shownZones({ req, state })),
            }}
          />
        )}
        {!error && otherPage && <Leave to={otherPage} />}
        <link rel="stylesheet" href={ui.href(asset("/styles.css"))} />
        {sheetsOf(ui, page).map((href, n) => <link key={n} rel="stylesheet" href={href} />)}
      </head>
      <body>
        <a class="skip-link" href="#main">{ui.t("shell.skip")}</a>
        {flash && <Flash ui={ui} flash={flash} />}
        {state.maintenance && <MaintenanceNotice ui={ui} {...shownMaintenance(state)} />}
        {jsxTemplate([page])}
      </body>
    </html>
  );
});

/** Leads browsers away that cannot use this form of the page. */
const Leave = ({ to }: { to: OtherPage }) =>
  to.runsScripts ? <script dangerouslySetInnerHTML={{ __html: leaveTo(to) }} /> : (
    <noscript>
      <meta http-equiv="refresh" content={`0; url=${to.href}`} />
    </noscript>
  );
