import { answer, api } from "@/lib/web/api.ts";
import { systemOperations } from "@/lib/web/system/operations.ts";
import { listOptions } from "@/lib/web/system/service.ts";

export const handler = api(answer(systemOperations.options, ({ actor }) => listOptions(actor)));
