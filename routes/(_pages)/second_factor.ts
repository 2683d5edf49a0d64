import { page } from "fresh";
import { localPath } from "@/lib/http/local_path.ts";
import { getSecondFactor, prepareSecondFactor } from "@/lib/people/factors/service.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { type FormState, newForm } from "@/lib/web/forms/form.ts";
import { ownAccount, type State, userScope } from "@/lib/web/state.ts";

/** Loads the current second factor, the data to set one up, and newly created recovery codes. */
export async function secondFactorPage(
  state: State,
  url: URL,
  { form = newForm(), codes = null }: { form?: FormState; codes?: string[] | null } = {},
  status = 200,
) {
  const account = ownAccount(state);
  const scope = userScope(state);
  const [factor, user, projects] = await Promise.all([
    getSecondFactor(account),
    getUser(account),
    listProjects(scope),
  ]);
  const next = url.searchParams.get("next");
  return page({
    factor,
    projects,
    form,
    codes,
    setup: factor ? null : await prepareSecondFactor(scope, form.values.setup),
    asksPassword: !user.external,
    required: state.deps.config.secondFactorRequired && !factor,
    next: next && localPath(next),
  }, { status });
}
