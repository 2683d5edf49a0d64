"""
Tests that the API behaves as scripts expect, in the way such a script would.

Uses only Python's standard library, and none of this server's own code. Variables name the server
and an administrator: CALLBOARD_TEST_URL, _LOGIN and _PASSWORD. _REPOSITORY is the address of a git
repository with site.yml on its branch main.
"""

import json
import os
import time
import unittest
import urllib.error
import urllib.request

URL = os.environ["CALLBOARD_TEST_URL"].rstrip("/")
LOGIN = os.environ["CALLBOARD_TEST_LOGIN"]
PASSWORD = os.environ["CALLBOARD_TEST_PASSWORD"]
REPOSITORY = os.environ["CALLBOARD_TEST_REPOSITORY"]
END_LIMIT_S = 60


class Answer:
    def __init__(self, status, headers, text):
        self.status = status
        self.headers = headers
        self.text = text

    @property
    def json(self):
        return json.loads(self.text)


def call(method, url, body=None, headers=None):
    """Sends one request. An error status is an answer, too."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        return Answer(response.status, response.headers, response.read().decode())


class Client:
    """A client that uses a bearer token."""

    def __init__(self, token):
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}

    def __call__(self, method, path, body=None, **headers):
        return call(method, f"{URL}/api{path}", body, {**self.headers, **headers})


def sign_in(login, password):
    """
    Signs in with a password, creates a token, and signs out. Returns the answer with the token.
    """
    signed_in = call("POST", f"{URL}/api/auth/login", {"auth": login, "password": password})
    assert signed_in.status == 204, signed_in.text
    cookies = [text.split(";")[0] for text in signed_in.headers.get_all("Set-Cookie")]
    cookie = {"Cookie": "; ".join(cookies)}
    made = call("POST", f"{URL}/api/user/tokens", {"name": "contract", "may_make_tokens": True}, cookie)
    assert call("POST", f"{URL}/api/auth/logout", None, cookie).status == 204
    assert call("GET", f"{URL}/api/user", None, cookie).status == 401
    return made


class Contract(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.token_answer = sign_in(LOGIN, PASSWORD)
        cls.api = staticmethod(Client(cls.token_answer.json["id"]))
        cls.project = cls.create("/projects", {"name": "Contract"})
        cls.root = f"/project/{cls.project['id']}"
        cls.key = cls.create(f"{cls.root}/keys", {"name": "No key", "type": "none"})
        cls.repository = cls.create(f"{cls.root}/repositories", {
            "name": "Playbooks", "git_url": REPOSITORY, "git_branch": "main",
            "ssh_key_id": cls.key["id"],
        })
        cls.inventory = cls.create(f"{cls.root}/inventory", {
            "name": "Local", "type": "static", "inventory": "localhost ansible_connection=local",
            "ssh_key_id": cls.key["id"],
        })
        cls.environment = cls.create(f"{cls.root}/environment", {
            "name": "Variables", "json": "{}", "env": None,
        })
        cls.template = cls.create(f"{cls.root}/templates", cls.template_body("Site"))

    @classmethod
    def template_body(cls, name, **more):
        return {
            "name": name, "playbook": "site.yml", "type": "", "app": "ansible",
            "inventory_id": cls.inventory["id"], "repository_id": cls.repository["id"],
            "environment_id": cls.environment["id"], **more,
        }

    @classmethod
    def create(cls, path, body):
        answer = cls.api("POST", path, body)
        assert answer.status == 201, f"POST {path}: {answer.status} {answer.text}"
        return answer.json

    def expect(self, status, method, path, body=None):
        answer = self.api(method, path, body)
        self.assertEqual(answer.status, status, f"{method} {path}: {answer.text}")
        return answer

    def get(self, path):
        return self.expect(200, "GET", path).json

    def run_task(self, template=None, **more):
        """Starts a task and returns the answer."""
        body = {"template_id": (template or self.template)["id"], **more}
        return self.create(f"{self.root}/tasks", body)

    def wait(self, task, *statuses):
        """Polls until the task has one of these statuses."""
        end = time.monotonic() + END_LIMIT_S
        while time.monotonic() < end:
            now = self.get(f"{self.root}/tasks/{task['id']}")
            if now["status"] in statuses:
                return now
            time.sleep(0.05)
        self.fail(f"task {task['id']} is {now['status']}, and not {statuses}")

    def wait_for_end(self, task):
        return self.wait(task, "success", "error", "stopped")

    # Calls that every client needs.

    def test_ping_and_info(self):
        self.assertEqual(call("GET", f"{URL}/api/ping").text, "pong")
        info = self.get("/info")
        self.assertIn("core", info["ansible"])
        self.assertTrue(info["version"])
        self.assertIn("web_host", info)
        self.assertIn("schedule_timezone", info)
        user = self.get("/user/")
        self.assertEqual(user["username"], LOGIN)
        self.assertIs(user["can_create_project"], True)

    def test_without_a_token_there_is_nothing(self):
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "}):
            answer = call("GET", f"{URL}/api/projects", None, headers)
            self.assertEqual(answer.status, 401)
            self.assertTrue(answer.json["error"])

    def test_a_task_runs_to_success(self):
        started = self.run_task(message="From a script")
        self.assertIsInstance(started["id"], int)
        self.assertEqual(started["status"], "waiting")
        ended = self.wait_for_end(started)
        self.assertEqual(ended["status"], "success")
        self.assertEqual(ended["message"], "From a script")
        self.assertRegex(ended["commit_hash"], r"^[0-9a-f]{40}$")
        self.assertRegex(ended["start"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
        self.assertLessEqual(ended["start"], ended["end"])
        path = f"{self.root}/tasks/{started['id']}"
        output = self.get(f"{path}/output")
        self.assertTrue(any("PLAY RECAP" in record["output"] for record in output))
        ids = [record["id"] for record in output]
        self.assertEqual(ids, sorted(set(ids)))
        for record in output:
            self.assertEqual(record["task_id"], started["id"])
            self.assertRegex(record["time"], r"^\d{4}-\d\d-\d\dT.*Z$")
        raw = self.expect(200, "GET", f"{path}/raw_output")
        self.assertEqual(raw.headers.get_content_type(), "text/plain")
        self.assertEqual(raw.text.splitlines(), [record["output"] for record in output])

    def test_a_task_that_fails_is_error(self):
        task = self.run_task(environment=json.dumps({"callboard_stand_in_exit": 2}))
        self.assertEqual(self.wait_for_end(task)["status"], "error")

    def test_a_task_is_stopped(self):
        task = self.run_task(environment=json.dumps({"callboard_stand_in_sleep_ms": 30_000}))
        self.wait(task, "running")
        self.expect(204, "POST", f"{self.root}/tasks/{task['id']}/stop", {"force": False})
        self.assertEqual(self.wait_for_end(task)["status"], "stopped")

    def test_all_tasks_of_a_template_are_stopped(self):
        template = self.create(f"{self.root}/templates", self.template_body("Slow"))
        slow = json.dumps({"callboard_stand_in_sleep_ms": 30_000})
        tasks = [self.run_task(template, environment=slow) for _ in range(3)]
        self.wait(tasks[0], "running")
        path = f"{self.root}/templates/{template['id']}/stop_all_tasks"
        self.expect(204, "POST", path, {"force": True})
        for task in tasks:
            self.assertEqual(self.wait_for_end(task)["status"], "stopped")

    def test_a_branch_that_is_not_there_is_told_in_the_output(self):
        template = self.create(
            f"{self.root}/templates", self.template_body("Nowhere", git_branch="nowhere"))
        task = self.run_task(template)
        self.assertEqual(self.wait_for_end(task)["status"], "error")
        text = self.expect(200, "GET", f"{self.root}/tasks/{task['id']}/raw_output").text
        self.assertIn("Failed updating repository", text)
        self.assertIn("nowhere", text)

    def test_builds_count_versions_and_deploys_bring_them_out(self):
        build = self.create(f"{self.root}/templates", self.template_body(
            "Build", type="build", start_version="1.0.7"))
        deploy = self.create(f"{self.root}/templates", self.template_body(
            "Deploy", type="deploy", build_template_id=build["id"]))
        made = [self.wait_for_end(self.run_task(build)) for _ in range(2)]
        self.assertEqual([task["version"] for task in made], ["1.0.7", "1.0.8"])
        brought = self.wait_for_end(self.run_task(deploy, build_task_id=made[0]["id"]))
        self.assertEqual(brought["status"], "success")
        self.assertIsNone(brought["version"])
        self.assertEqual(brought["build_task"]["version"], "1.0.7")
        self.assertEqual(brought["commit_hash"], made[0]["commit_hash"])
        builds = self.get(f"{self.root}/templates/{build['id']}/tasks?status=success")
        self.assertEqual({task["id"] for task in builds}, {task["id"] for task in made})

    def test_lists_are_arrays_without_being_told_how_to_sort(self):
        lists = ["keys", "repositories", "inventory", "environment", "templates", "views",
                 "schedules", "integrations", "users", "tasks", "tasks/last", "events",
                 "events/last"]
        for name in lists:
            self.assertIsInstance(self.get(f"{self.root}/{name}"), list, name)
        for path in ("/projects", "/users", "/user/tokens", "/events"):
            self.assertIsInstance(self.get(path), list, path)

    def test_lists_are_sorted_as_asked(self):
        project = self.create("/projects", {"name": "Sorted"})
        root = f"/project/{project['id']}"
        for name in ("beta", "Alpha", "gamma"):
            self.create(f"{root}/keys", {"name": name, "type": "none"})
        names = [key["name"] for key in self.get(f"{root}/keys?sort=name&order=desc")]
        self.assertEqual(names, ["None", "gamma", "beta", "Alpha"])

    # Creates, reads, changes and deletes an object.

    def crud(self, name, body, change):
        path = f"{self.root}/{name}"
        made = self.create(path, body)
        item = f"{path}/{made['id']}"
        self.assertEqual(self.get(item), made, "GET is not what POST answered")
        self.assertIn(made["id"], [row["id"] for row in self.get(path)])
        changed = self.expect(204, "PUT", item, {**made, **change})
        self.assertEqual(changed.text, "")
        self.assertEqual(self.get(item), {**made, **change})
        self.assertEqual(self.expect(204, "DELETE", item).text, "")
        self.expect(404, "GET", item)
        self.expect(404, "DELETE", item)

    def test_everything_of_a_project_can_be_made_changed_and_deleted(self):
        self.crud("keys", {"name": "Key", "type": "none"}, {"name": "Renamed"})
        self.crud("repositories", {
            "name": "Other", "git_url": "https://git.example.com/other.git", "git_branch": "main",
            "ssh_key_id": self.key["id"],
        }, {"git_branch": "next"})
        self.crud("inventory", {
            "name": "Hosts", "type": "static-yaml", "inventory": "all:\n",
            "ssh_key_id": self.key["id"],
        }, {"inventory": "all:\n  hosts:\n"})
        self.crud("environment", {"name": "Env", "json": '{"a": 1}', "env": '{"B": "2"}'},
                  {"json": '{"a": 2}'})
        self.crud("views", {"title": "View", "position": 3}, {"title": "Renamed"})
        self.crud("templates", self.template_body("Other"), {"name": "Renamed", "playbook": "b.yml"})
        self.crud("schedules", {
            "template_id": self.template["id"], "cron_format": "0 3 * * *", "name": "Nightly",
            "active": False,
        }, {"name": "Renamed"})
        self.crud("integrations", {"name": "Hook", "template_id": self.template["id"]},
                  {"searchable": True})

    def test_the_project_may_be_repeated_or_left_out(self):
        path = f"{self.root}/keys"
        key = {"name": "Repeated", "type": "none"}
        self.create(path, key)
        self.create(path, {**key, "project_id": self.project["id"]})
        self.expect(400, "POST", path, {**key, "project_id": self.project["id"] + 1})
        task = self.run_task(project_id=self.project["id"])
        self.assertEqual(self.wait_for_end(task)["status"], "success")

    def test_members_of_newer_servers_do_no_harm(self):
        self.create(f"{self.root}/keys", {"name": "New", "type": "none", "future": {"a": [1]}})

    def test_what_is_in_use_stays_and_its_users_are_named(self):
        answer = self.expect(409, "DELETE", f"{self.root}/repositories/{self.repository['id']}")
        self.assertIs(answer.json["inUse"], True)
        self.assertIn(self.template["id"], [row["id"] for row in answer.json["templates"]])
        refs = self.get(f"{self.root}/repositories/{self.repository['id']}/refs")
        for kind in ("templates", "inventories", "repositories", "schedules", "integrations"):
            self.assertIsInstance(refs[kind], list)

    def test_another_project_has_nothing_of_this_one(self):
        other = self.create("/projects", {"name": "Other"})
        task = self.wait_for_end(self.run_task())
        for path in (f"templates/{self.template['id']}", f"keys/{self.key['id']}",
                     f"tasks/{task['id']}", f"tasks/{task['id']}/output"):
            self.expect(404, "GET", f"/project/{other['id']}/{path}")
        started = self.expect(
            404, "POST", f"/project/{other['id']}/tasks", {"template_id": self.template["id"]})
        self.assertTrue(started.json["error"])
        self.assertEqual(self.get(f"/project/{other['id']}/tasks"), [])

    # Calls that only newer clients make.

    def test_a_token_is_shown_once(self):
        token = self.token_answer
        self.assertEqual(token.status, 201)
        text = token.json["id"]
        self.assertGreater(len(text), 30)
        listed = [row["id"] for row in self.get("/user/tokens")]
        self.assertIn(text[:8], listed)
        self.assertNotIn(text, self.expect(200, "GET", "/user/tokens").text)

    def test_a_token_is_deleted_by_its_first_letters(self):
        made = self.create("/user/tokens", {"name": "Short"})
        client = Client(made["id"])
        self.assertEqual(client("GET", "/user").status, 200)
        self.expect(204, "DELETE", f"/user/tokens/{made['id'][:8]}")
        self.assertEqual(client("GET", "/user").status, 401)
        self.expect(400, "POST", "/user/tokens", {"expires_at": "2001-01-01T00:00:00Z"})

    def test_history_comes_in_pages(self):
        template = self.create(f"{self.root}/templates", self.template_body("Paged"))
        ids = [self.run_task(template)["id"] for _ in range(3)]
        for number in ids:
            self.wait_for_end({"id": number})
        for limit in ("count", "limit"):
            path = f"{self.root}/templates/{template['id']}/tasks?{limit}=2"
            first = self.expect(200, "GET", path)
            self.assertEqual(first.headers["X-Has-Next"], "true")
            self.assertEqual([task["id"] for task in first.json], ids[:0:-1])
            rest = self.expect(200, "GET", f"{path}&before={first.json[-1]['id']}")
            self.assertEqual(rest.headers["X-Has-Next"], "false")
            self.assertEqual([task["id"] for task in rest.json], ids[:1])

    def test_secrets_of_an_environment_are_never_answered(self):
        secret = "never-answered-7431"
        made = self.create(f"{self.root}/environment", {
            "name": "Secrets", "json": "{}", "secrets": [
                {"type": "var", "name": "token", "secret": secret, "operation": "create"},
                {"type": "env", "name": "TOKEN", "secret": secret, "operation": "create"},
            ],
        })
        path = f"{self.root}/environment/{made['id']}"
        self.assertEqual(self.get(path), made)
        self.assertNotIn(secret, self.expect(200, "GET", path).text)
        first, second = made["secrets"]
        self.assertEqual((first["type"], first["name"]), ("var", "token"))
        self.expect(204, "PUT", path, {**made, "secrets": [
            {**first, "name": "renamed", "secret": "", "operation": "update"},
        ]})
        names = sorted(row["name"] for row in self.get(path)["secrets"])
        self.assertEqual(names, ["TOKEN", "renamed"])
        self.expect(204, "PUT", path, {**made, "secrets": [{**second, "operation": "delete"}]})
        self.assertEqual([row["name"] for row in self.get(path)["secrets"]], ["renamed"])
        self.expect(400, "POST", f"{self.root}/environment", {
            "name": "Wrong", "json": "{}", "env": '{"": "x"}'})

    def test_surveys(self):
        variables = [
            {"name": "callboard_stand_in_echo", "title": "Say", "type": "", "required": True},
            {"name": "size", "title": "Size", "type": "enum", "default_value": "s",
             "values": [{"name": "Small", "value": "s"}, {"name": "Large", "value": "l"}]},
            {"name": "count", "title": "Count", "type": "int"},
            {"name": "password", "title": "Password", "type": "secret"},
        ]
        template = self.create(
            f"{self.root}/templates", self.template_body("Survey", survey_vars=variables))
        answers = {"callboard_stand_in_echo": "hello from the survey", "size": "l", "count": 3}
        secret = "never-printed-8812"
        task = self.run_task(
            template, environment=json.dumps(answers), secret=json.dumps({"password": secret}))
        self.assertNotIn(secret, json.dumps(task))
        self.assertEqual(self.wait_for_end(task)["status"], "success")
        path = f"{self.root}/tasks/{task['id']}"
        text = self.expect(200, "GET", f"{path}/raw_output").text
        self.assertIn("hello from the survey", text)
        self.assertNotIn(secret, text + self.expect(200, "GET", path).text)
        wrong = {"template_id": template["id"], "environment": json.dumps({"size": "xl"})}
        refused = self.expect(400, "POST", f"{self.root}/tasks", wrong).json
        self.assertEqual(sorted(refused["fields"]), ["callboard_stand_in_echo", "size"])
        variables[1]["default_value"] = "xl"
        self.expect(400, "POST", f"{self.root}/templates",
                    self.template_body("Wrong", survey_vars=variables))

    def test_vault_passwords_by_either_name(self):
        vault = self.create(f"{self.root}/keys", {
            "name": "Vault", "type": "login_password",
            "login_password": {"login": "", "password": "open sesame"},
        })
        old = self.create(f"{self.root}/templates", self.template_body(
            "Old vault", vault_key_id=vault["id"]))
        new = self.create(f"{self.root}/templates", self.template_body(
            "New vault", vaults=[{"vault_key_id": vault["id"], "name": "prod"}]))
        for template in (old, new):
            self.assertEqual(template["vault_key_id"], vault["id"])
            self.assertEqual(template["vaults"][0]["vault_key_id"], vault["id"])
        self.assertEqual(new["vaults"][0]["name"], "prod")

    def test_what_a_template_does_not_offer_is_refused(self):
        for change in ({"playbook": "other.yml"}, {"git_branch": "next"}, {"skip_tags": ["a"]},
                       {"arguments": '["-v"]'}, {"params": {"tags": ["a"]}}):
            body = {"template_id": self.template["id"], **change}
            self.expect(400, "POST", f"{self.root}/tasks", body)
        template = self.create(f"{self.root}/templates", self.template_body(
            "Open", allow_override_args_in_task=True,
            task_params={"allow_override_limit": True, "allow_override_tags": True}))
        task = self.run_task(
            template, arguments='["--diff"]', params={"limit": ["localhost"], "tags": ["a"]})
        self.assertEqual(self.wait_for_end(task)["status"], "success")

    def test_paths_that_leave_the_repository_are_refused(self):
        self.expect(400, "POST", f"{self.root}/inventory", {
            "name": "Outside", "type": "file", "inventory": "../../etc/hosts",
            "ssh_key_id": self.key["id"],
        })

    def test_schedules(self):
        path = f"{self.root}/schedules"
        template = self.create(f"{self.root}/templates", self.template_body("Scheduled"))
        schedule = {"template_id": template["id"], "cron_format": "0 3 * * *"}
        # Clients of 2.9 do not know a switch. Newer ones name a schedule, and leave out false
        # members.
        plain = self.create(path, schedule)
        self.assertIs(plain["active"], True)
        self.assertIs(self.create(path, {**schedule, "name": "Off"})["active"], False)
        made = self.create(path, {**schedule, "name": "Nightly", "active": True})
        self.assertIs(made["active"], True)
        self.assertTrue(made["next_runs"])
        self.expect(204, "PUT", f"{path}/{made['id']}/active", {"active": False})
        self.assertIs(self.get(f"{path}/{made['id']}")["active"], False)
        self.assertIn("Cron:", self.expect(400, "POST", path, {
            **schedule, "cron_format": "never"}).json["error"])
        self.expect(200, "POST", f"{path}/validate", {"cron_format": "*/5 * * * *"})
        answer = self.expect(400, "POST", f"{path}/validate", {"cron_format": ""})
        self.assertIn("Cron:", answer.json["error"])
        self.expect(400, "POST", path, {
            **schedule, "type": "run_at", "run_at": "2001-01-01T00:00:00Z"})
        listed = self.get(f"{self.root}/templates/{template['id']}/schedules")
        self.assertTrue({plain["id"], made["id"]} <= {row["id"] for row in listed})
        self.assertIn(made["id"], [row["id"] for row in self.get(path)])

    def test_a_schedule_that_is_due_starts_a_task(self):
        due = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
        made = self.create(f"{self.root}/schedules", {
            "template_id": self.template["id"], "type": "run_at", "run_at": due,
            "task_params": {"message": "Once"},
        })
        end = time.monotonic() + END_LIMIT_S
        found = []
        while not found and time.monotonic() < end:
            time.sleep(0.2)
            found = [task for task in self.get(f"{self.root}/tasks")
                     if task["schedule_id"] == made["id"]]
        self.assertEqual([task["message"] for task in found], ["Once"])
        self.wait_for_end(found[0])

    def test_webhooks(self):
        hook = self.create(f"{self.root}/integrations", {
            "name": "Push", "template_id": self.template["id"], "auth_method": "",
        })
        path = f"{self.root}/integrations/{hook['id']}"
        matcher = self.expect(200, "POST", f"{path}/matchers", {
            "name": "Main", "match_type": "body", "body_data_type": "json", "key": "ref",
            "method": "equals", "value": "main", "integration_id": hook["id"],
        }).json
        without_ids = {name: matcher[name] for name in
                       ("name", "match_type", "body_data_type", "key", "method", "value")}
        self.expect(204, "PUT", f"{path}/matchers/{matcher['id']}", without_ids)
        self.expect(404, "PUT", f"{path}/matchers/{matcher['id'] + 1000}", without_ids)
        alias = self.expect(200, "POST", f"{path}/aliases").json
        url = alias["url"] if "://" in alias["url"] else URL + alias["url"]
        called = call("POST", url, {"ref": "main"})
        self.assertIn(called.status, range(200, 300))
        task = int(called.headers["X-Semaphore-Task-ID"])
        self.assertEqual(called.headers["X-Semaphore-Integration-ID"], str(hook["id"]))
        self.assertEqual(called.headers["X-Semaphore-Template-ID"], str(self.template["id"]))
        self.assertEqual(called.headers["X-Semaphore-Project-ID"], str(self.project["id"]))
        ended = self.wait_for_end({"id": task})
        self.assertEqual(ended["integration_id"], hook["id"])
        other = call("POST", url, {"ref": "next"})
        self.assertIn(other.status, range(200, 300))
        self.assertIsNone(other.headers["X-Semaphore-Task-ID"])
        self.expect(204, "DELETE", f"{path}/aliases/{alias['id']}")
        self.assertEqual(call("POST", url, {"ref": "main"}).status, 404)

    def test_passwords(self):
        name = f"nora{time.time_ns()}"
        user = self.create("/users", {
            "name": "Nora", "username": name, "email": f"{name}@example.com", "password": "first",
        })
        self.assertEqual(self.get(f"/users/{user['id']}"), user)
        nora = Client(sign_in(name.upper(), "first").json["id"])
        path = f"/users/{user['id']}/password"
        # A stolen token must not take the account over.
        own = nora("POST", path, {"password": "second", "current_password": "first"})
        self.assertEqual(own.status, 403)
        self.expect(204, "POST", path, {"password": "kept", "revoke_tokens": False})
        self.assertEqual(nora("GET", "/user").status, 200)
        self.expect(204, "POST", path, {"password": "third"})
        self.assertEqual(nora("GET", "/user").status, 401)
        nora = Client(sign_in(name, "third").json["id"])
        self.assertEqual(nora("GET", f"{self.root}/keys").status, 404)
        other = {"name": "Otto", "username": "otto", "email": "otto@example.com", "password": "x"}
        self.assertEqual(nora("POST", "/users", other).status, 403)

    def test_a_removed_member_sees_nothing_more(self):
        name = f"otto{time.time_ns()}"
        user = self.create("/users", {
            "name": "Otto", "username": name, "email": f"{name}@example.com", "password": "pass",
        })
        otto = Client(sign_in(name, "pass").json["id"])
        self.expect(204, "POST", f"{self.root}/users", {"user_id": user["id"], "role": "guest"})
        self.assertEqual(otto("GET", f"{self.root}/role").json["role"], "guest")
        task = {"template_id": self.template["id"]}
        self.assertEqual(otto("POST", f"{self.root}/tasks", task).status, 403)
        self.expect(409, "POST", f"{self.root}/users", {"user_id": user["id"], "role": "guest"})
        self.expect(204, "PUT", f"{self.root}/users/{user['id']}", {"role": "task_runner"})
        self.assertEqual(otto("GET", f"{self.root}/role").json["permissions"], 1)
        self.expect(204, "DELETE", f"{self.root}/users/{user['id']}")
        self.assertEqual(otto("GET", self.root).status, 404)

    def test_views_are_put_in_order(self):
        first = self.create(f"{self.root}/views", {"title": "First", "position": 0})
        second = self.create(f"{self.root}/views", {"title": "Second", "position": 1})
        positions = {str(first["id"]): 1, str(second["id"]): 0}
        self.expect(204, "POST", f"{self.root}/views/positions", positions)
        ids = [view["id"] for view in self.get(f"{self.root}/views")]
        self.assertLess(ids.index(second["id"]), ids.index(first["id"]))

    def test_a_backup_is_restored(self):
        file = self.get(f"{self.root}/backup")
        restored = self.expect(200, "POST", "/projects/restore", {
            **file, "meta": {**file["meta"], "name": "Restored"}}).json
        root = f"/project/{restored['id']}"
        names = {row["name"] for row in self.get(f"{root}/templates")}
        self.assertEqual(names, {entry["name"] for entry in file["templates"]})

    def test_a_project_with_open_tasks_is_deleted_only_by_force(self):
        project = self.create("/projects", {"name": "Short-lived"})
        root = f"/project/{project['id']}"
        key = self.get(f"{root}/keys")[0]
        repository = self.create(f"{root}/repositories", {
            "name": "Playbooks", "git_url": REPOSITORY, "git_branch": "main",
            "ssh_key_id": key["id"],
        })
        inventory = self.create(f"{root}/inventory", {
            "name": "Local", "type": "static", "inventory": "localhost", "ssh_key_id": key["id"]})
        template = self.create(f"{root}/templates", {
            "name": "Slow", "playbook": "site.yml", "repository_id": repository["id"],
            "inventory_id": inventory["id"],
        })
        task = self.create(f"{root}/tasks", {
            "template_id": template["id"],
            "environment": json.dumps({"callboard_stand_in_sleep_ms": 30_000}),
        })
        refused = self.expect(409, "DELETE", root)
        self.assertIn(str(task["id"]), refused.text)
        self.expect(204, "DELETE", root, {"force": True})
        self.expect(404, "GET", root)
        self.expect(404, "GET", f"{root}/tasks/{task['id']}")

    def test_a_call_with_a_key_starts_one_task(self):
        body = {"template_id": self.template["id"], "message": "Once"}
        path, key = f"{self.root}/tasks", {"Idempotency-Key": "deploy-4711"}
        answers = [self.api("POST", path, body, **key) for _ in range(3)]
        self.assertEqual([answer.status for answer in answers], [201, 201, 201])
        self.assertEqual(len({answer.json["id"] for answer in answers}), 1)
        other = self.api("POST", path, {**body, "message": "Twice"}, **key)
        self.assertEqual(other.status, 422, other.text)
        started = [task for task in self.get(path) if task["message"] == "Once"]
        self.assertEqual(len(started), 1)

    def test_a_call_waits_for_the_end_of_a_task(self):
        path = f"{self.root}/tasks"
        task = self.run_task(environment=json.dumps({"callboard_stand_in_sleep_ms": 1_500}))
        early = self.get(f"{path}/{task['id']}?wait=0")
        self.assertNotEqual(early["status"], "success")
        began = time.monotonic()
        self.assertEqual(self.get(f"{path}/{task['id']}?wait=30")["status"], "success")
        self.assertLess(time.monotonic() - began, 20)
        self.expect(400, "GET", f"{path}/{task['id']}?wait=soon")

    def test_calls_of_newer_clients(self):
        option = {"key": "nav.unpinnedItems", "value": "[\"keys\"]"}
        self.assertEqual(self.expect(200, "POST", "/user/options", option).json, option)
        self.assertEqual(self.get("/user/options"), {option["key"]: option["value"]})
        info = self.get("/info")
        self.assertEqual((info["git_client"], info["auth_methods"]), ("cmd_git", {}))
        view = self.create(f"{self.root}/views", {
            "title": "Everything", "type": "all", "hidden": True, "sort_column": "playbook",
            "sort_reverse": True})
        self.assertEqual(
            [view[name] for name in ("type", "hidden", "sort_column", "sort_reverse")],
            ["all", True, "playbook", True])
        key = self.create(f"{self.root}/keys", {
            "name": "Token", "type": "string", "string": "hush"})
        self.assertEqual((key["type"], key["string"]), ("string", ""))
        template = self.create(f"{self.root}/templates", self.template_body(
            "Newer", suppress_error_alerts=True, executor_image=None,
            vaults=[{"name": "prod", "type": "password", "vault_key_id": key["id"]}]))
        self.assertTrue(template["suppress_error_alerts"])
        path = f"{self.root}/templates/{template['id']}"
        self.expect(204, "PUT", f"{path}/description", {"description": "By name"})
        self.assertEqual(self.get(path), {**template, "description": "By name"})
        task = self.run_task(template)
        self.wait_for_end(task)
        self.assertEqual(self.get(f"{self.root}/tasks/{task['id']}/stages"), [])
        self.expect(204, "DELETE", path)

    def test_members_that_would_mislead_are_refused(self):
        for path, body, field in (
            (f"{self.root}/templates", self.template_body("X", executor_image="ee"), "executor_image"),
            (f"{self.root}/templates", self.template_body("X", limit="web1"), "limit"),
            ("/user/tokens", {"scopes": "read"}, "scopes"),
            ("/user/tokens", {"read_only": True}, "read_only"),
            ("/user/tokens", {"project_id": self.project["id"]}, "project_id"),
        ):
            self.assertIn(field, self.expect(400, "POST", path, body).json["fields"])

    def test_the_cache_of_a_project_is_cleared(self):
        project = self.create("/projects", {"name": "Cached"})
        root = f"/project/{project['id']}"
        key = self.get(f"{root}/keys")[0]
        repository = self.create(f"{root}/repositories", {
            "name": "Playbooks", "git_url": REPOSITORY, "git_branch": "main",
            "ssh_key_id": key["id"]})
        inventory = self.create(f"{root}/inventory", {
            "name": "Local", "type": "static", "inventory": "localhost", "ssh_key_id": key["id"]})
        template = self.create(f"{root}/templates", {
            "name": "Site", "playbook": "site.yml", "repository_id": repository["id"],
            "inventory_id": inventory["id"]})
        for sleep_ms in (2_000, 0):
            task = self.create(f"{root}/tasks", {
                "template_id": template["id"],
                "environment": json.dumps({"callboard_stand_in_sleep_ms": sleep_ms})})
            while sleep_ms and self.get(f"{root}/tasks/{task['id']}")["status"] != "running":
                time.sleep(0.05)
            if sleep_ms:
                self.expect(409, "DELETE", f"{root}/cache")
            ended = self.get(f"{root}/tasks/{task['id']}?wait=30")
            self.assertEqual(ended["status"], "success")
            self.expect(204, "DELETE", f"{root}/cache")

    def test_errors_have_a_sentence(self):
        for status, method, path in (
            (404, "GET", "/nothing"), (404, "GET", "/project/999999"), (400, "GET", "/project/x"),
            (405, "PATCH", "/user"), (400, "POST", f"{self.root}/keys"),
        ):
            error = self.expect(status, method, path, {} if method == "POST" else None).json
            self.assertIsInstance(error["error"], str)

    def test_answers_are_not_cached(self):
        answer = self.expect(200, "GET", "/projects")
        self.assertEqual(answer.headers["Cache-Control"], "private, no-store")


if __name__ == "__main__":
    unittest.main()
