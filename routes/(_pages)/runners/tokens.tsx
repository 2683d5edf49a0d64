import { RegisterDialog } from "@/components/runners/RegisterDialog.tsx";
import { TokensPage } from "@/components/runners/TokensPage.tsx";
import { paths } from "@/lib/base/paths.ts";
import {
  createReusableToken,
  deleteReusableToken,
  listReusableTokens,
} from "@/lib/runners/reusable_tokens.ts";
import { runnerTokenForm } from "@/lib/runners/schema.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import {
  placementErrors,
  placementValues,
  readPlacement,
  runnerInstall,
  runnerRights,
  runnersOf,
} from "./runners.ts";

const newToken = formPage({
  rights: runnerRights,
  find: () => ({}),
  shown: () => placementValues(),
  parse: (typed) => parseValues(withEnd(readPlacement(typed)), runnerTokenForm),
  errorsAt: placementErrors,
  save: ({ scope, value }) => createReusableToken(scope, value),
  next: ({ result: { token } }) => ({ form: placementValues(), extra: token }),
  async beside(_form, _found, { state }, made: string | null = null) {
    const runners = runnersOf(state);
    return {
      made,
      tokens: await listReusableTokens(await runners.manages()),
      projects: await runners.projectChoices(),
    };
  },
});

/** Reusable registration tokens. The answer to the form shows a new one once. */
export const tokensPage = routeOf(newToken, ({ data: { made, ...data }, state, url }) => {
  const shown = { ui: state.ui, place: runnersOf(state).place };
  if (made === null) return <TokensPage {...shown} {...data} />;
  return (
    <RegisterDialog {...shown} runner={null} token={made} install={runnerInstall(state, url)} />
  );
});

/** Browsers send a day. A token is valid until its end. The schema refuses other texts. */
function withEnd({ expires_at: day, ...values }: FormValues): FormValues {
  if (!day) return values;
  return { ...values, expires_at: /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day };
}

/** Deletes the named token. */
export const deleteToken = routeOf({
  GET: (ctx) => seeOther(ctx, tokensPath(ctx.state)),

  async POST(ctx) {
    const { token } = await readForm(ctx.req);
    await deleteReusableToken(await runnersOf(ctx.state).manages(), pageId(token));
    return seeOther(ctx, tokensPath(ctx.state), "flash.runners.token_deleted");
  },
});

const tokensPath = (state: State) => paths.runners(runnersOf(state).place.projectId, "/tokens");
