import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { reveal } from "../../base/secret.ts";
import type { SessionRow } from "../../access/sessions.ts";
import { rowKeys } from "../../kv/keys.ts";

/** Sign-out at a provider. Its session would otherwise let in the next person at this browser. */
interface ProviderSignOut {
  name: string;
  url: string;
}

/** Returns the sign-out of the provider that opened the session; null if there is none. */
export async function providerSignOut(
  { kv, secrets, providers }: Deps,
  { credential: { kind, hash } }: UserActor,
): Promise<ProviderSignOut | null> {
  if (kind !== "session") return null;
  const { value } = await kv.get<SessionRow>(rowKeys.session(hash));
  const provider = value?.provider && providers.find(value.provider.id);
  if (!provider) return null;
  const { settings } = provider;
  // A provider that is unavailable must not keep anyone from signing out here.
  const endSession = (await provider.metadata().catch(() => null))?.endSession;
  if (!endSession) return null;
  const url = new URL(endSession);
  url.searchParams.set("client_id", settings.client_id);
  const { id_token } = value.provider!;
  if (id_token) url.searchParams.set("id_token_hint", reveal(await secrets.open(id_token)));
  const { post_logout_redirect_url: back } = settings;
  if (back) url.searchParams.set("post_logout_redirect_uri", back);
  return { name: settings.display_name, url: url.href };
}
