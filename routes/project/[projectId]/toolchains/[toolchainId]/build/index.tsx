import { PROJECT_TOOLCHAINS, toolchainBuildPage } from "@/routes/(_pages)/toolchain_build.tsx";

const { handler, Page } = toolchainBuildPage(PROJECT_TOOLCHAINS);
export { handler, Page as default };
