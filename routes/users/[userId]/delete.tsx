import { openAccount } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { personWith } from "@/lib/base/person.ts";
import { deleteUser } from "@/lib/people/accounts/deletion.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asUser } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asUser,
  find: (scope, { params }) => getUser(openAccount(scope, pageId(params.userId))),
  ask(ui, user) {
    const name = ui.person(personWith(user));
    return {
      title: ui.t("users.delete"),
      parts: [name],
      question: ui.t("users.question", { name }),
      cancel: paths.users(),
    };
  },
  act: (scope, { id }) => deleteUser(openAccount(scope, id)),
  next: (user, { state: { ui } }) => [
    paths.users(),
    "flash.users.deleted",
    { name: ui.person(personWith(user)) },
  ],
  refusedStatus: 422,
});
export { handler, Page as default };
