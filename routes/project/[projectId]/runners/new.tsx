import { newRunnerPage } from "@/routes/(_pages)/runner_pages.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = newRunnerPage(PROJECT_RUNNERS);
export { handler, Page as default };
