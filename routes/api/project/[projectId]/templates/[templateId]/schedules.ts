import { answer, api } from "@/lib/http/api.ts";
import { scheduleOperations } from "@/lib/schedules/operations.ts";
import { listReplaceableSchedules } from "@/lib/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.listOfTemplate,
    ({ deps, actor, ids }) => listReplaceableSchedules(deps, actor, ids.projectId, ids.templateId),
  ),
);
