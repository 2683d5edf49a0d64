import { page } from "fresh";
import { RegisterDialog } from "@/components/runners/RegisterDialog.tsx";
import { TokensPage } from "@/components/runners/TokensPage.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  createReusableToken,
  deleteReusableToken,
  listReusableTokens,
} from "@/lib/runners/reusable_tokens.ts";
import { runnerTokenForm } from "@/lib/runners/schema.ts";
import { type FormState, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, type State } from "@/lib/web/state.ts";
import {
  placementErrors,
  placementValues,
  projectChoices,
  readPlacement,
  runnerCommands,
  type Runners,
} from "./runners.tsx";

/** Reusable registration tokens. The answer to the form shows a new one once. */
export function runnerTokensPage(runners: Runners) {
  const load = async (state: State, form: FormState, made: string | null = null) => ({
    form,
    made,
    tokens: await listReusableTokens(await runners.manages(state)),
    projects: await projectChoices(runners, state),
  });
  const handler = define.handlers({
    async GET({ state }) {
      runners.require(state);
      return page(await load(state, restoredForm(state) ?? placementValues()));
    },

    async POST({ state, req }) {
      runners.require(state);
      const typed = await readForm(req);
      const form = await saveForm(
        parseValues(withEnd(readPlacement(typed)), runnerTokenForm),
        async (value) => await createReusableToken(await runners.manages(state), value),
      );
      if (form.ok) return page(await load(state, placementValues(), form.result.token));
      const errors = placementErrors(form.errors);
      return page(await load(state, { values: typed, errors }), { status: 422 });
    },
  });
  const Page = define.page<typeof handler>(({ data: { made, ...data }, state, url }) => {
    const shown = { ui: state.ui, place: runners.place(state) };
    if (made === null) return <TokensPage {...shown} {...data} />;
    return (
      <RegisterDialog {...shown} runner={null} token={made} commands={runnerCommands(state, url)} />
    );
  });
  return { handler, Page };
}

/** Browsers send a day. A token is valid until its end. The schema refuses other texts. */
function withEnd({ expires_at: day, ...values }: FormValues): FormValues {
  if (!day) return values;
  return { ...values, expires_at: /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day };
}

/** Deletes the named token. */
export const deleteTokenHandlers = (runners: Runners) =>
  define.handlers({
    GET: (ctx) => {
      const { projectId } = runners.place(ctx.state);
      return ctx.redirect(ctx.state.ui.href(paths.runners(projectId, "/tokens")), 303);
    },

    async POST(ctx) {
      const { token } = await readForm(ctx.req);
      await deleteReusableToken(await runners.manages(ctx.state), pageId(token));
      const { projectId } = runners.place(ctx.state);
      return seeOther(ctx, paths.runners(projectId, "/tokens"), "flash.runners.token_deleted");
    },
  });
