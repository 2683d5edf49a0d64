import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Pagination } from "@/components/ui/Pagination.tsx";
import { UserTable } from "@/components/users/UserTable.tsx";
import { define, signedIn, userScope } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { sortByName } from "@/lib/i18n/by_name.ts";
import { listUsers } from "@/lib/people/accounts/service.ts";

const PAGE_USERS = 20;

export const handler = define.handlers({
  async GET({ state, url }) {
    const users = await listUsers(userScope(state));
    const asked = Number(url.searchParams.get("page") ?? 1);
    const number = Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
    const start = (number - 1) * PAGE_USERS;
    const sorted = sortByName(state.ui.language, users);
    return page({
      number,
      users: sorted.slice(start, start + PAGE_USERS),
      position: { skipped: start, of: { count: sorted.length } },
    });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui } = state;
  const { users, number, position } = data;
  const hasNext = position.skipped + users.length < position.of.count;
  const list = ui.href(paths.users());
  const title = ui.t("users.title");
  return (
    <>
      <AdminHeader
        ui={ui}
        title={title}
        actions={
          <ButtonLink kind="primary" icon="plus" href={ui.href(paths.user("new"))} over>
            {ui.t("users.new")}
          </ButtonLink>
        }
      />
      <UserTable ui={ui} users={users} ownId={signedIn(state).id} />
      <Pagination
        ui={ui}
        newest={number > 1 ? `${list}?page=${number - 1}` : undefined}
        older={hasNext ? `${list}?page=${number + 1}` : undefined}
        shown={{ ...position, rows: users.length }}
        labels={[ui.t("lists.previous"), ui.t("lists.next")]}
      />
    </>
  );
});
