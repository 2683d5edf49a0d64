/** More than the maximum number of hosts. */
const HOSTS = 100_000;

/** Returns the id of an Ansible task's result on a host. */
export const resultId = (task: number, host: number): number => task * HOSTS + host;
export const placeOfId = (id: number) => [Math.floor(id / HOSTS), id % HOSTS] as const;
