import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";

interface TitleProps {
  ui: Ui;
  /** From the page outwards: "Templates", "Web shop". */
  parts: (string | undefined)[];
}

/** The document's title: "Templates - Web shop - Callboard". */
export function Title({ ui, parts }: TitleProps) {
  return (
    <Head>
      <title>{visible([...parts.filter(Boolean), ui.t("app.name")].join(" - "))}</title>
    </Head>
  );
}

interface HeaderProps {
  /** Content of the page's only `h1`. */
  title: ComponentChildren;
  /** Links above the title: see Breadcrumb. */
  above?: ComponentChildren;
  /** Buttons beside the title. */
  actions?: ComponentChildren;
}

export function PageHeader({ title, above, actions }: HeaderProps) {
  return (
    <header class="page-header">
      <div class="min-w-0">
        {above}
        <h1>{title}</h1>
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </header>
  );
}

export interface Crumb {
  label: string;
  href: string;
}

/** Links to the parent pages. */
export function Breadcrumb({ ui, crumbs }: { ui: Ui; crumbs: Crumb[] }) {
  return (
    <nav aria-label={ui.t("shell.breadcrumb")} class="breadcrumb">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
