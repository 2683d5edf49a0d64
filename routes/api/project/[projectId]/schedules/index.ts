import { answer, api } from "@/lib/web/api.ts";
import { scheduleOperations } from "@/lib/triggers/schedules/operations.ts";
import { createSchedule, listSchedules } from "@/lib/triggers/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.list,
    ({ deps, actor, ids }) => listSchedules(deps, actor, ids.projectId),
  ),
  answer(
    scheduleOperations.create,
    ({ deps, actor, ids, body }) => createSchedule(deps, actor, ids.projectId, body),
  ),
);
