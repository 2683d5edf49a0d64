/** More than a run has hosts. */
const HOSTS = 100_000;

/** The id of a play task's result on a host. */
export const resultId = (task: number, host: number): number => task * HOSTS + host;
export const placeOfId = (id: number) => [Math.floor(id / HOSTS), id % HOSTS] as const;
