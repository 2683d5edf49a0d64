const OWN_VARIABLES = new Set([
  "delegated_vars",
  "group_names",
  "groups",
  "hostvars",
  "inventory_dir",
  "inventory_file",
  "inventory_hostname",
  "inventory_hostname_short",
  "play_hosts",
  "playbook_dir",
  "role_name",
  "role_names",
  "role_path",
  "role_uuid",
]);

/**
 * Whether a variable is Ansible's own. With those one says which host is meant, as whom to sign in
 * and what to run on the server for it (`ansible_ssh_common_args`, `ansible_python_interpreter`,
 * `ansible_connection` …). All plugins of Ansible's and of its collections name theirs "ansible_…".
 */
export const isOwnVariable = (name: string): boolean =>
  /^_?ansible_/.test(name) || OWN_VARIABLES.has(name);
