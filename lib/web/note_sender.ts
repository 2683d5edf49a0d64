import type { UserActor } from "../access/actor.ts";
import { requestInHand } from "../base/log.ts";

/** Notes who has sent the request that is being handled, for the access log. */
export function noteSender({ username, credential }: UserActor): void {
  const request = requestInHand.getStore();
  if (request) request.from = { account: username, token: credential.tokenId };
}
