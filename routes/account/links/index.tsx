import * as z from "zod";
import { startLink } from "@/lib/people/sso/start.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { baseOf, keepSsoCookie } from "@/lib/web/pages/sso.ts";
import { securityForm } from "@/routes/(_pages)/account/security.tsx";

const linkForm = z.object({
  provider: z.string("errors.required").min(1, "errors.required").max(100, "errors.too_long"),
  link_password: z.string().max(1024, "errors.too_long").nullish(),
});

/** Starts linking a provider. */
export const handler = securityForm("link", {
  parse: (typed) => parseValues(typed, linkForm),
  save: ({ scope, value: { provider, link_password }, ctx: { url, req, info } }) =>
    startLink(scope, {
      provider,
      password: link_password ?? "",
      base: baseOf(scope.deps.config, url),
      address: clientAddress(scope.deps.config, req.headers, info.remoteAddr),
    }),
  // A refused link, and failures of the provider.
  shownStatuses: [400, 409, 429, 502],
  next({ scope, result: { name, ssoRedirect: { url, cookie } }, ctx }) {
    // Not a redirect, because the content security policy does not let forms lead to another
    // server, not even through a redirect.
    const headers = new Headers({ Refresh: `0; url=${url}`, "Cache-Control": "no-store" });
    keepSsoCookie(headers, scope.deps.config, ctx.url, cookie.name, cookie.value);
    return { form: newForm(), extra: { name, url }, headers };
  },
});

export { SecurityPage as default } from "@/routes/(_pages)/account/security.tsx";
