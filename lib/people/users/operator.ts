import { OPERATOR_ID, type UserActor } from "../../access/actor.ts";
import { requireAdmin } from "../../access/scope.ts";

/** Who has the machine itself: acts through scripts and may everything, but has no account. */
const operatorActor: UserActor = {
  kind: "user",
  id: OPERATOR_ID,
  username: "operator",
  name: "Operator",
  admin: true,
  external: false,
  credential: { kind: "session", hash: "" },
};

/** What scripts do is done by the operator. */
export const operatorScope = <D>(deps: D) => requireAdmin({ deps, actor: operatorActor });
