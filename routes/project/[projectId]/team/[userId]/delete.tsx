import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define, signedIn, type State } from "@/lib/web/state.ts";
import { type FormState, newForm, saveForm } from "@/lib/web/forms/form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { personWith } from "@/lib/base/person.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { deleteMember, getMemberDetail } from "@/lib/people/team/service.ts";

async function confirmPage(state: State, idText: string, form: FormState, status = 200) {
  requirePermission(state.shell, "manage_users");
  const member = await getMemberDetail(state.scope, pageId(idText));
  return page({ member, form }, { status });
}

export const handler = define.handlers({
  GET: ({ state, params }) => confirmPage(state, params.userId, newForm()),

  async POST(ctx) {
    const { shell: { project } } = ctx.state;
    const actor = signedIn(ctx.state);
    const id = pageId(ctx.params.userId);
    const sent = { ok: true as const, value: id, values: {}, errors: {} };
    const form = await saveForm(
      sent,
      async (id) => deleteMember(await reopen(ctx.state.scope, "manage_users"), id),
    );
    if (!form.ok) return await confirmPage(ctx.state, ctx.params.userId, form, 422);
    // Users who removed themselves can no longer see the project.
    const next = id === actor.id && !actor.admin ? "/" : paths.section(project.id, "team");
    return seeOther(ctx, next, "flash.team.removed");
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { id, name } = shell.project;
  const team = ui.href(paths.section(id, "team"));
  const title = ui.t("team.remove");
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <Confirm
        ui={ui}
        form={data.form}
        title={title}
        question={ui.t("team.remove_question", { name: ui.person(personWith(data.member)) })}
        action={`${team}/${data.member.id}/delete`}
        cancel={team}
        yes={title}
      />
    </>
  );
});
