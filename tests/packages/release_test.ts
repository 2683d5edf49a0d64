import assert from "node:assert/strict";
import { join } from "node:path";
import { arch } from "node:os";
import denoJson from "../../deno.json" with { type: "json" };
import { copyProject } from "@/tests/support/basics/copy_project.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";
import { builtArchives } from "./support/built.ts";
import { type Containers, newBase, RUNTIME } from "./support/containers.ts";
import { helmCommand } from "./support/helm.ts";
import { succeed } from "./support/succeed.ts";

const { version } = denoJson;
const CPU = arch() as "x64" | "arm64";

/** A copy of the project in git, ready for a release, and the key of its maintainer. */
interface Maintainer {
  project: string;
  key: string;
  out: string;
  git(...args: string[]): Promise<string>;
  /** Runs the command, and returns its exit code and what it prints. */
  release(...args: string[]): Promise<{ code: number; text: string }>;
}

async function newMaintainer({ folder, options }: Containers): Promise<Maintainer> {
  const project = join(folder, "project");
  await succeed(["git", "clone", "--quiet", ROOT, project]);
  await copyProject(project);
  await shareBuild(project);
  const git = (...args: string[]) => {
    const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
    return succeed(["git", "-C", project, ...author, ...args]);
  };
  const changelog = join(project, "CHANGELOG.md");
  const text = await Deno.readTextFile(changelog);
  await Deno.writeTextFile(changelog, text.replace("## Unreleased", `## ${version} - 2026-12-01`));
  await git("add", ".");
  await git("commit", "-q", "-m", "Release");
  const key = join(folder, "key");
  await succeed(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", key]);
  const bin = join(folder, "bin");
  await putPodman(bin, options);
  const out = join(folder, "release");
  return {
    ...{ project, key, out, git },
    async release(...args) {
      const command = new Deno.Command(Deno.execPath(), {
        args: ["task", "release", `--arch=${CPU}`, `--out=${out}`, ...args],
        cwd: project,
        env: { PATH: `${bin}:${Deno.env.get("PATH")}` },
      });
      const { code, stdout, stderr } = await command.output();
      const decoder = new TextDecoder();
      return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
    },
  };
}

/** Gives a copy of the project what was downloaded and built from the same sources. */
async function shareBuild(project: string): Promise<void> {
  await builtArchives();
  await Deno.mkdir(join(project, "data"));
  for (const path of ["node_modules", "data/deno"]) {
    await Deno.symlink(join(ROOT, path), join(project, path));
  }
  await succeed(["cp", "-a", join(ROOT, "_fresh"), project]);
}

/** Puts podman into a folder, with options that an account has in its containers.conf. */
async function putPodman(folder: string, options: string[]): Promise<void> {
  const script = `#!/bin/sh
command=$1
shift
case $command in
  build) set -- --isolation=chroot "$@" ;;
  run) set -- --ulimit=nofile=1024:1024 --ulimit=nproc=4096:4096 "$@" ;;
esac
exec /usr/bin/podman ${[...options, ...RUNTIME].join(" ")} "$command" "$@"
`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, "podman"), script, { mode: 0o755 });
  await Deno.writeTextFile(join(folder, "docker"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
}

Deno.test("one command makes a signed release", async (t) => {
  await using containers = await newBase();
  const { project, key, out, git, release } = await newMaintainer(containers);

  await t.step("it is refused for a key that the project does not list", async () => {
    const { code, text } = await release(`--key=${key}`);
    assert.equal(code, 1);
    assert.match(text, /allowed_signers does not list the key/);
    const line = text.match(/^callboard namespaces="file" ssh-ed25519 \S+$/m)![0];
    await Deno.writeTextFile(join(project, "packaging/allowed_signers"), `${line}\n`);
  });

  await t.step("it is refused while a file is not committed", async () => {
    const { code, text } = await release(`--key=${key}`);
    assert.equal(code, 1);
    assert.match(text, /Commit these files before a release:\n.*allowed_signers/);
    await git("add", ".");
    await git("commit", "-q", "-m", "Permit a key");
  });

  await t.step("it writes all files, their checksums and notes", async () => {
    const { code, text } = await release(`--key=${key}`);
    assert.equal(code, 0, text);
    const names = [...Deno.readDirSync(out)].map(({ name }) => name).sort();
    const own = (name: string) => `callboard-${version}-${name}`;
    const expected = [
      ...["SHA256SUMS", "SHA256SUMS.sig", "notes.md", `callboard-chart-${version}.tgz`],
      ...[own(`linux-${CPU}.tar.gz`), own(`linux-${CPU}.cdx.json`)],
      ...[own(`image-${CPU}.tar.gz`), own(`image-${CPU}.cdx.json`)],
      ...["tar.gz", "cdx.json"].map((ending) => `callboard-ansible-${version}-${CPU}.${ending}`),
      ...(CPU === "x64" ? [`callboard_${version}_amd64.deb`, own("1.x86_64.rpm")] : []),
    ];
    assert.deepEqual(names, expected.sort());
    const notes = await Deno.readTextFile(join(out, "notes.md"));
    assert.match(notes, /^# Callboard .+\n\n[^]+?\n### Added\n/);
    assert.match(notes, RegExp(`commit ${(await git("rev-parse", "HEAD")).trim()}`));
    for (const name of names.filter((name) => !/SHA256|notes/.test(name))) {
      assert.ok(notes.includes(`| \`${name}\` |`), name);
    }
  });

  await t.step("its checksums and the signature are right", async () => {
    await succeed(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: out });
    const signers = join(project, "packaging/allowed_signers");
    const verify = `ssh-keygen -Y verify -f ${signers} -I callboard -n file -s SHA256SUMS.sig`;
    await succeed(["sh", "-c", `${verify} <SHA256SUMS`], { cwd: out });
    const forged = succeed(["sh", "-c", `sed 's/^./x/' SHA256SUMS | ${verify}`], { cwd: out });
    await assert.rejects(forged, /incorrect signature/i);
  });

  await t.step("its chart is one that Helm installs", async () => {
    const chart = join(out, `callboard-chart-${version}.tgz`);
    const helm = await helmCommand();
    const options = ["--kube-version=1.30.0", "--set=metrics.prometheusRule.enabled=true"];
    const manifests = await succeed([helm, "template", "a", chart, ...options]);
    assert.match(manifests, RegExp(`image: "?callboard:${version}`));
    assert.match(manifests, /alert: CallboardDown$/m);
  });

  await t.step("its image can be loaded, and its list names packages of Debian", async () => {
    const { podman } = containers;
    await podman("rmi", "--force", `callboard:${version}`);
    const image = join(containers.folder, "image.tar");
    const unpack = `gzip -dc callboard-${version}-image-${CPU}.tar.gz >${image}`;
    await succeed(["sh", "-c", unpack], { cwd: out });
    await podman("load", `--input=${image}`);
    const text = await podman("image", "inspect", `callboard:${version}`);
    assert.deepEqual(JSON.parse(text)[0].Healthcheck.Test, ["CMD", "callboard-healthcheck"]);
    const list = join(out, `callboard-${version}-image-${CPU}.cdx.json`);
    const { components } = JSON.parse(await Deno.readTextFile(list));
    const urls: string[] = components.map(({ purl }: { purl: string }) => purl);
    for (const name of ["deb/debian/git", "pypi/ansible-core", "npm/preact"]) {
      assert.ok(urls.some((url) => url.startsWith(`pkg:${name}@`)), name);
    }
  });

  await t.step("it does not replace an earlier one", async () => {
    const { code, text } = await release(`--key=${key}`);
    assert.equal(code, 1);
    assert.match(text, /exists\. Move it/);
  });
});
