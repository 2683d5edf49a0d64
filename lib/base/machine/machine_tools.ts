/** Programs of a machine that toolchains need. Null is for one that is missing or does not work. */
export interface MachineTools {
  /** Versions of Python that toolchains can be built with, such as "3.11", the oldest first. */
  pythons: string[];
  uv: string | null;
  podman: string | null;
}

/** Returns the programs with their versions, as people read them. */
export const toolNames = ({ pythons, uv, podman }: MachineTools): string[] => [
  ...pythons.map((version) => `Python ${version}`),
  ...uv === null ? [] : [`uv ${uv}`],
  ...podman === null ? [] : [`podman ${podman}`],
];
