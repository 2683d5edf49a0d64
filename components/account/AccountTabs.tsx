import type { AccountPage } from "../../lib/base/account_page.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { PageHeader, Title } from "../ui/Page.tsx";
import { Tabs } from "../ui/Tabs.tsx";
import { ACCOUNT_PAGES } from "../palette/account_pages.ts";

/** The title and the header of a page of one's own account. */
export function AccountTabs({ ui, current }: { ui: Ui; current: AccountPage }) {
  const title = ui.t("account.edit");
  const { name } = ACCOUNT_PAGES.find(({ page }) => page === current)!;
  return (
    <>
      <Title ui={ui} parts={[ui.t(name), title]} />
      <PageHeader title={title} />
      <Tabs
        label={title}
        tabs={ACCOUNT_PAGES.map(({ page, name }) => ({
          label: ui.t(name),
          href: ui.href(paths.account(page)),
          current: page === current,
        }))}
      />
    </>
  );
}
