/** The first steps with the API, as commands of a shell. They are tested as they stand here. */
export const QUICK_START: { title: string; command: string }[] = [
  {
    title: "Create a token on the page of your account, or with your password",
    command: `export CALLBOARD=https://callboard.example.com
curl -s -c cookies.txt -H 'Content-Type: application/json' \\
  -d '{"auth": "nora", "password": "…"}' $CALLBOARD/api/auth/login
export TOKEN=$(curl -s -b cookies.txt -X POST -H 'Content-Type: application/json' \\
  -d '{"name": "First steps"}' $CALLBOARD/api/user/tokens | jq -r .id)`,
  },
  {
    title: "List the projects",
    command: `api() { curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' "$@"; }
api $CALLBOARD/api/projects | jq -r '.[] | "\\(.id) \\(.name)"'`,
  },
  {
    title: "Create a project, and what a task needs: a key, a repository and an inventory",
    command: `PROJECT=$(api -d '{"name": "First steps"}' $CALLBOARD/api/projects | jq .id)
P=$CALLBOARD/api/project/$PROJECT
KEY=$(api -d '{"name": "No key", "type": "none"}' $P/keys | jq .id)
REPOSITORY=$(api -d '{"name": "Playbooks", "git_branch": "main", "ssh_key_id": '$KEY',
  "git_url": "https://git.example.com/playbooks.git"}' $P/repositories | jq .id)
INVENTORY=$(api -d '{"name": "Here", "type": "static", "ssh_key_id": '$KEY',
  "inventory": "localhost ansible_connection=local"}' $P/inventory | jq .id)`,
  },
  {
    title: "Create a template, and start a task",
    command: `TEMPLATE=$(api -d '{"name": "Deploy", "playbook": "site.yml",
  "repository_id": '$REPOSITORY', "inventory_id": '$INVENTORY'}' $P/templates | jq .id)
TASK=$(api -d '{"template_id": '$TEMPLATE'}' $P/tasks | jq .id)`,
  },
  {
    title: "Wait for its end, and read its output",
    command: `until api "$P/tasks/$TASK?wait=30" | jq -e '.end != null' > /dev/null; do :; done
api $P/tasks/$TASK | jq -r .status
api $P/tasks/$TASK/raw_output`,
  },
];
