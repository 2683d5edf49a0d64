import type { Context } from "fresh";
import { noteSender } from "@/lib/web/note_sender.ts";
import { requestClient } from "@/lib/web/client_address.ts";
import { define, type State } from "@/lib/web/state.ts";
import { authenticateNow } from "@/lib/people/group_rules/take_back.ts";
import { plainName } from "@/lib/base/person.ts";
import { namePersonAt } from "@/lib/people/users/name_person.ts";
import { requireAccount, requireSession } from "@/lib/access/credentials.ts";
import { requireScope } from "@/lib/access/token_scopes.ts";
import { AppError } from "@/lib/base/errors.ts";
import { inTime } from "@/lib/base/time/in_time.ts";
import { errorResponse, isApi, tellError } from "@/lib/web/translate_errors.ts";
import { clearFlash, hasFlash } from "@/lib/web/pages/flash.ts";
import { refererPath } from "@/lib/web/pages/back.ts";
import { maintenanceFor, requireWritable } from "@/lib/web/maintenance.ts";
import { pageOf, rememberDraft, saveSentForm, takeSentForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";

/** Finds the actor by session or bearer token, and responds to errors of API calls. */
export default define.middleware(async (ctx) => {
  const { state } = ctx;
  try {
    const client = requestClient(state.deps.config, ctx.req.headers, ctx.info.remoteAddr);
    const asker = await inTime(
      authenticateNow(state.deps, ctx.req, projectOf(ctx), client.address),
    );
    state.maintenance = await maintenanceFor(ctx, asker);
    state.actor = asker && { ...asker.actor, client };
    if (state.actor) noteSender(state.actor);
    state.membership = asker?.membership ?? null;
    if (asker) {
      const namePerson = namePersonAt(state.deps, asker.namesVersion);
      // A page is shown with names alone if the store cannot list accounts.
      state.namePerson = namePerson instanceof Promise
        ? await inTime(namePerson).catch(() => plainName)
        : namePerson;
    }
    if (!isApi(ctx) && asker) {
      requireAccount(asker.actor);
      if (ctx.req.method === "GET" || ctx.req.method === "HEAD") requireScope(asker.actor, "read");
      else requireSession(asker.actor);
    }
    if (asker?.mustEnrol && !isBeforeFactor(ctx)) {
      if (isApi(ctx)) throw new AppError(403, "errors.second_factor_required");
      return ctx.redirect(state.ui.href(paths.secondFactor(wantedPage(ctx))), 303);
    }
    if (!asker?.mustEnrol) requireWritable(ctx);
    state.kept = isApi(ctx) ? null : await takeSentForm(ctx);
    const response = await ctx.next();
    if (state.actor && !response.headers.has("Cache-Control")) {
      response.headers.set("Cache-Control", "private, no-store");
    }
    if (!isApi(ctx) && response.status !== 303 && hasFlash(ctx.req.headers)) {
      clearFlash(response.headers, state.deps.config, ctx.url);
    }
    return response;
  } catch (error) {
    if (isApi(ctx)) return errorResponse(tellError(error, state), ctx.req);
    if (!(error instanceof AppError) || error.status !== 401) throw error;
    const isSaved = await saveSentForm(ctx);
    const wanted = isSaved ? pageOf(ctx) : wantedPage(ctx);
    const response = ctx.redirect(state.ui.href(paths.signIn(wanted)), 303);
    if (isSaved) rememberDraft(response.headers, ctx);
    return response;
  }
});

/**
 * Whether a user who must first set up a second factor may open a path: that setup, signing in and
 * signing out.
 */
function isBeforeFactor({ url, config }: Pick<Context<State>, "url" | "config">): boolean {
  const path = url.pathname.slice(config.basePath.length);
  return path === paths.secondFactor() || /^(\/api)?\/auth\//.test(path);
}

/** Returns the id of the project that the page or call belongs to; 0 for none. */
function projectOf({ url, config }: Pick<Context<State>, "url" | "config">): number {
  const path = url.pathname.slice(config.basePath.length);
  return Number(/^(?:\/api)?\/project\/(\d{1,15})(?![^/])/.exec(path)?.[1] ?? 0);
}

/** Returns the page to open after the sign-in: this one, or the one whose form was sent. */
function wantedPage({ req, url, config }: Pick<Context<State>, "req" | "url" | "config">) {
  const from = req.method === "GET" ? null : refererPath({ req, config });
  return from ?? pageOf({ url, config });
}
