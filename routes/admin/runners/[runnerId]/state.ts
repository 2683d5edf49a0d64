import { runnerStateHandlers } from "@/routes/(_pages)/runner_pages.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

export const handler = runnerStateHandlers(SERVER_RUNNERS);
