import { publishKeys } from "@/lib/task_identity/discovery.ts";
import { publicDocument } from "@/lib/web/api/public_document.ts";

export const handler = publicDocument(publishKeys);
