import { SERVER_TOOLCHAINS, toolchainBuildEvents } from "@/routes/(_pages)/toolchain_build.tsx";

export const handler = toolchainBuildEvents(SERVER_TOOLCHAINS);
