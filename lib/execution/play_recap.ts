/** What Ansible counted on one host, in Ansible's own words. */
export interface HostRecap {
  ok: number;
  changed: number;
  unreachable: number;
  failed: number;
  skipped: number;
  rescued: number;
  ignored: number;
}

export type PlayRecap = Record<string, HostRecap>;
