import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";
import { listRunners } from "@/lib/system/service.ts";

export const handler = api(answer(systemOperations.runners, ({ actor }) => listRunners(actor)));
