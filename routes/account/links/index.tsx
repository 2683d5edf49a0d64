import { accountPage } from "@/routes/account/index.tsx";
import * as z from "zod";
import { define, ownAccount } from "@/lib/web/state.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { baseOf, keepSsoCookie } from "@/lib/web/pages/sso.ts";
import { paths } from "@/lib/base/paths.ts";
import { startLink } from "@/lib/people/sso/start.ts";

const linkForm = z.object({
  provider: z.string("errors.required").min(1, "errors.required").max(100, "errors.too_long"),
  link_password: z.string().max(1024, "errors.too_long").nullish(),
});

/** Errors that the form shows: a refused link, and failures of the provider. */
const SHOWN_STATUSES = [400, 409, 429, 502];

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account()), 303),

  /** Starts linking a provider. */
  async POST(ctx) {
    const { state, url, req, info } = ctx;
    const account = ownAccount(state);
    const { config } = state.deps;
    const form = await submitForm(
      req,
      linkForm,
      ({ provider, link_password }) =>
        startLink(account, {
          provider,
          password: link_password ?? "",
          base: baseOf(config, url),
          address: clientAddress(config, req.headers, info.remoteAddr),
        }),
      { shownStatuses: SHOWN_STATUSES },
    );
    if (!form.ok) return await accountPage(ctx, { link: form }, 422);
    const { name, ssoRedirect } = form.result;
    // Not a redirect, because the content security policy does not let forms lead to another
    // server, not even through a redirect.
    const headers = new Headers({
      Refresh: `0; url=${ssoRedirect.url}`,
      "Cache-Control": "no-store",
    });
    keepSsoCookie(headers, config, url, ssoRedirect.cookie.name, ssoRedirect.cookie.value);
    return await accountPage(ctx, { wayOut: { name, url: ssoRedirect.url } }, 200, headers);
  },
});

export { default } from "@/routes/account/index.tsx";
