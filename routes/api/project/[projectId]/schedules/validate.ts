import { answer, api } from "@/lib/http/api.ts";
import { scheduleOperations } from "@/lib/schedules/operations.ts";
import { previewCron } from "@/lib/schedules/service.ts";

export const handler = api(
  answer(scheduleOperations.validate, async ({ deps, actor, ids, body }) => {
    await previewCron(deps, actor, ids.projectId, body);
  }),
);
