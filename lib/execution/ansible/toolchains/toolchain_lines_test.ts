import assert from "node:assert/strict";
import { isImage } from "./toolchain_lines.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

Deno.test("names of images are those of registries, and no files, options or logins", () => {
  const names = [
    ...["fedora", "fedora:41", "library/fedora", "localhost/ee:dev", "localhost:5000/ee"],
    ...["quay.io/ansible/community-ee-base:2.19", "registry.example.com:5000/a/b__c-d.e:V1.2-rc_1"],
    ...[`quay.io/ansible/ee@${DIGEST}`, `quay.io/ansible/ee:2.19@${DIGEST}`, "oci/dir:1"],
  ];
  assert.deepEqual(names.filter((name) => !isImage(name)), []);
  const others = [
    ...["dir:/etc", "dir:5000/ee", "dir:ee", "oci:latest", "oci-archive:/tmp/a.tar", "oci:/tmp/a"],
    ...["docker-archive:/tmp/a.tar", "docker-daemon:ee:1", "docker://quay.io/ee", "sif:/tmp/a"],
    ...["containers-storage:quay.io/ee", "tarball:/tmp/a", "ostree:a", "atomic:a/b:c"],
    ...["bob:secret@quay.io/ee", "https://quay.io/ee", "quay.io/ee@md5:00", "a//b", "a/../b", "/a"],
    ...["--privileged", "-v", "", " a", "a b", "a\n--b", "a,b", "A", "a:", "a/", "a:5000/b:1/c"],
    ...["$HOME/a", "a;b", "a@", "quay.io/é"],
  ];
  assert.deepEqual(others.filter(isImage), []);
});
