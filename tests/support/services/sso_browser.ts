import { createProviders, type Providers } from "@/lib/oidc/provider.ts";
import { providersSchema } from "@/lib/oidc/settings.ts";
import { conceal } from "@/lib/base/secret.ts";
import { CLIENT, type TestProvider } from "./oidc_provider.ts";
import { cookiesOf } from "@/tests/support/basics/html.ts";
import type { World } from "@/tests/support/world/world.ts";

const clock = { now: () => new Date(), ticks: () => performance.now() };

/** Returns providers as in the settings. `more` has additional fields by id. */
export function providersOf(
  servers: Record<string, Pick<TestProvider, "issuer">>,
  more: Record<string, object> = {},
): Providers {
  const written = providersSchema.parse(
    Object.fromEntries(
      Object.entries(servers).map(([id, { issuer }]) => [id, {
        display_name: `The ${id} provider`,
        provider_url: issuer,
        client_id: CLIENT.id,
        ...more[id],
      }]),
    ),
  );
  const read = Object.entries(written).map(([id, settings]) => ({
    settings: { ...settings, id, client_id: CLIENT.id },
    secret: conceal(CLIENT.secret),
    ca: null,
  }));
  return createProviders(read, clock);
}

/** A browser without a script that moves between a world and providers. */
export interface SsoBrowser {
  cookies: Map<string, Map<string, string>>;
  /** Sends one request, without following redirects. */
  ask(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until `until` is true, or there is a page. */
  follow(
    path: string,
    until?: (url: string) => boolean,
  ): Promise<{ url: string; response: Response }>;
}

const HOPS_MAX = 20;

export function newSsoBrowser(world: World, app = "http://callboard.test"): SsoBrowser {
  const cookies: SsoBrowser["cookies"] = new Map();
  const ask = async (url: string, init: RequestInit = {}) => {
    const { origin } = new URL(url);
    const own = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, own);
    const Cookie = [...own].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(
      "; ",
    );
    const headers = { Cookie, ...Object.fromEntries(new Headers(init.headers)) };
    const response = origin === new URL(app).origin
      ? await world.request(url, { ...init, headers })
      : await fetch(url, { ...init, headers, redirect: "manual" });
    for (const [name, value] of Object.entries(cookiesOf(response))) {
      if (value === "") own.delete(name);
      else own.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    ask,
    async follow(path, until = () => false) {
      let url = new URL(path, app).href;
      for (let hop = 0; hop < HOPS_MAX; hop++) {
        if (until(url)) return { url, response: new Response() };
        const response = await ask(url);
        const location = response.headers.get("location");
        if (!location) return { url, response };
        await response.body?.cancel();
        url = new URL(location, url).href;
      }
      throw new Error(`too many redirects, the last to ${url}`);
    },
  };
}
