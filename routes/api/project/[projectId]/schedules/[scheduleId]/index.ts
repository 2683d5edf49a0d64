import { answer, api } from "@/lib/web/api.ts";
import { scheduleOperations } from "@/lib/triggers/schedules/operations.ts";
import { deleteSchedule, getSchedule, updateSchedule } from "@/lib/triggers/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.get,
    ({ deps, actor, ids }) => getSchedule(deps, actor, ids.projectId, ids.scheduleId),
  ),
  answer(
    scheduleOperations.update,
    ({ deps, actor, ids, body }) =>
      updateSchedule(deps, actor, ids.projectId, ids.scheduleId, body),
  ),
  answer(
    scheduleOperations.delete,
    ({ deps, actor, ids }) => deleteSchedule(deps, actor, ids.projectId, ids.scheduleId),
  ),
);
