import { OPERATOR_ID, type UserActor } from "../../access/actor.ts";

/** Who has the machine itself: acts through scripts and may everything, but has no account. */
export const operatorActor: UserActor = {
  kind: "user",
  id: OPERATOR_ID,
  username: "operator",
  name: "Operator",
  admin: true,
  external: false,
  credential: { kind: "session", hash: "" },
};
