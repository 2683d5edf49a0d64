import { answer, api } from "@/lib/web/api.ts";
import { scheduleOperations } from "@/lib/triggers/schedules/operations.ts";
import { listReplaceableSchedules } from "@/lib/triggers/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.listOfTemplate,
    ({ deps, actor, ids }) => listReplaceableSchedules(deps, actor, ids.projectId, ids.templateId),
  ),
);
