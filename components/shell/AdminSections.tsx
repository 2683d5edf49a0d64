import { ADMIN_PAGES, adminPageOf } from "../palette/admin_pages.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Entry } from "./Sections.tsx";

interface AdminSectionsProps {
  ui: Ui;
  here: string;
  /** Number of people who wait for approval. */
  waiting: number;
}

/** Links to the pages of the server, for its admins. */
export function AdminSections({ ui, here, waiting }: AdminSectionsProps) {
  const current = adminPageOf(here);
  return (
    <nav aria-label={ui.t("admin.title")}>
      <ul>
        {ADMIN_PAGES.map((page, n) => (
          <Entry
            key={n}
            icon={page.icon}
            href={ui.href(page.path)}
            current={page === current}
          >
            {ui.t(page.name)}
            {page.path === paths.waitingPeople() && waiting > 0 && (
              <span class="drawer-mark">{ui.number(waiting)}</span>
            )}
          </Entry>
        ))}
      </ul>
    </nav>
  );
}
