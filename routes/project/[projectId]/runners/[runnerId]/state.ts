import { runnerStateHandlers } from "@/routes/(_pages)/runner_pages.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

export const handler = runnerStateHandlers(PROJECT_RUNNERS);
