import { operation } from "../../access/operation.ts";
import { maintenanceForm, maintenanceSchema } from "./schema.ts";
import { endMaintenance, getMaintenance, setMaintenance } from "./service.ts";

const tag = "System";
const path = "/maintenance";

export const maintenanceOperations = [
  operation({
    id: "getMaintenance",
    method: "GET",
    path,
    tag,
    summary: "Get the maintenance of the server",
    details: "With the number of tasks that still run.",
    access: "user",
    answer: maintenanceSchema,
    run: ({ scope }) => getMaintenance(scope),
  }),
  operation({
    id: "setMaintenance",
    method: "PUT",
    path,
    tag,
    summary: "Set the maintenance of the server",
    details:
      "It begins now or at a planned time. During maintenance, all other calls that change " +
      "something answer 503 with `Retry-After`, except signing in, stopping tasks and calls of " +
      "runners. No task starts. Running tasks finish.",
    access: "admin",
    body: maintenanceForm,
    emptyBody: {},
    run: ({ scope, body }) => setMaintenance(scope, body),
  }),
  operation({
    id: "endMaintenance",
    method: "DELETE",
    path,
    tag,
    summary: "End the maintenance of the server",
    details: "Planned maintenance is cancelled.",
    access: "admin",
    run: ({ scope }) => endMaintenance(scope),
  }),
];
