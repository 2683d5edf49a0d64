import { AppError } from "@/lib/base/errors.ts";
import { passkeyOptions, passkeysHere } from "@/lib/people/sessions/service.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { setPasskeyCookie } from "@/lib/web/session_cookies.ts";
import { define } from "@/lib/web/state.ts";
import { tellError } from "@/lib/web/translate_errors.ts";

export const handler = define.handlers({
  /** Returns the challenge for a passkey, for the script of the sign-in page. */
  async POST({ state, url, req, info }) {
    const { deps } = state;
    const rp = passkeysHere(deps, url);
    if (!rp) throw new AppError(403, "errors.no_passkeys");
    try {
      const address = clientAddress(deps.config, req.headers, info.remoteAddr);
      const { options, holder } = await passkeyOptions(deps, rp, address);
      const response = Response.json(options, { headers: { "Cache-Control": "no-store" } });
      setPasskeyCookie(response.headers, deps.config, url, holder);
      return response;
    } catch (error) {
      const { status, sentence } = tellError(error, state);
      return new Response(sentence, { status });
    }
  },
});
