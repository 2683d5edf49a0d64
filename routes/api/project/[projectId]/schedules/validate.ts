import { answer, api } from "@/lib/web/api.ts";
import { scheduleOperations } from "@/lib/triggers/schedules/operations.ts";
import { previewCron } from "@/lib/triggers/schedules/service.ts";

export const handler = api(
  answer(scheduleOperations.validate, async ({ deps, actor, ids, body }) => {
    await previewCron(deps, actor, ids.projectId, body);
  }),
);
