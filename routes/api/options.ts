import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";
import { listOptions } from "@/lib/system/service.ts";

export const handler = api(answer(systemOperations.options, ({ actor }) => listOptions(actor)));
