import { OPERATOR_ID, type UserActor } from "../../access/actor.ts";
import { requireAdmin } from "../../access/scope.ts";

/** Owner of the machine, who acts through scripts, may do everything and has no account. */
const operatorActor: UserActor = {
  kind: "user",
  id: OPERATOR_ID,
  username: "operator",
  name: "Operator",
  admin: true,
  external: false,
  credential: { kind: "session", hash: "" },
};

/** Returns the scope of the operator, in which scripts act. */
export const operatorScope = <D>(deps: D) => requireAdmin({ deps, actor: operatorActor });
