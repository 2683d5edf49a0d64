import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";
import { listApps } from "@/lib/system/service.ts";

export const handler = api(answer(systemOperations.apps, () => listApps()));
