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
 * Whether a variable is one of Ansible's own. They decide which host is meant, which login is used
 * and what runs on the server (`ansible_ssh_common_args`, `ansible_python_interpreter`,
 * `ansible_connection` …). All plugins of Ansible and of its collections use names that start with
 * "ansible_".
 */
export const isOwnVariable = (name: string): boolean =>
  /^_?ansible_/.test(name) || OWN_VARIABLES.has(name);
