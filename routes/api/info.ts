import { answer, api } from "@/lib/web/api.ts";
import { systemOperations } from "@/lib/web/system/operations.ts";
import { systemInfo } from "@/lib/web/system/service.ts";

export const handler = api(answer(systemOperations.info, ({ deps }) => systemInfo(deps)));
