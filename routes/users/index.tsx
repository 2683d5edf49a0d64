import { page } from "fresh";
import { AdminHeader } from "@/components/admin/AdminHeader.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { UserTable } from "@/components/users/UserTable.tsx";
import { define, signedIn, userScope } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { listUsers } from "@/lib/people/accounts/service.ts";

export const handler = define.handlers({
  async GET({ state, url }) {
    const users = await listUsers(userScope(state));
    return page({ users, table: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state }) => {
  const { ui } = state;
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
      <UserTable ui={ui} users={data.users} state={data.table} ownId={signedIn(state).id} />
    </>
  );
});
