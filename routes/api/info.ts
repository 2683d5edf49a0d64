import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";
import { systemInfo } from "@/lib/system/service.ts";

export const handler = api(answer(systemOperations.info, ({ deps }) => systemInfo(deps)));
