import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "../../deno.json" with { type: "json" };
import schema from "../../packaging/helm/callboard/values.schema.json" with { type: "json" };
import { SETTINGS } from "../../lib/base/settings/known_settings.ts";
import { SECRET_SETTINGS } from "../../lib/base/settings/secret_settings.ts";
import { helmCommand } from "./support/helm.ts";
import { succeed } from "./support/succeed.ts";
import { parse, parseAllDocuments } from "./yaml.ts";

const CHART = fileURLToPath(new URL("../../packaging/helm/callboard", import.meta.url));
const KV = "http://kv:4512";

// deno-lint-ignore no-explicit-any -- Manifests are checked by what these tests read in them.
type Manifest = any;
type Values = Record<string, unknown>;

/** Values, the kinds of objects that they create in addition to `ALWAYS`, and what is checked. */
interface Case {
  values: Values;
  kinds: string[];
  check?(find: (kind: string) => Manifest, container: Manifest): void;
}

const ALWAYS = ["Deployment", "Pod", "Service", "ServiceAccount"];

const CASES: Record<string, Case> = {
  "the defaults": {
    values: {},
    kinds: ["PersistentVolumeClaim"],
    check(find, container) {
      assert.equal(container.image, `callboard:${denoJson.version}`);
      assert.equal(find("Deployment").spec.strategy.type, "Recreate");
    },
  },
  "an ingress with TLS": {
    values: { ingress: { enabled: true, host: "a.example", tlsSecret: "tls", className: "nginx" } },
    kinds: ["PersistentVolumeClaim", "Ingress"],
    check(find, { env }) {
      assert.equal(valueOf(env, "CALLBOARD_URL"), "https://a.example");
      assert.equal(valueOf(env, "CALLBOARD_TRUST_PROXY"), "true");
      const { annotations } = find("Ingress").metadata;
      assert.equal(annotations["nginx.ingress.kubernetes.io/proxy-buffering"], "off");
    },
  },
  "a sub-path": {
    values: { ingress: { enabled: true, host: "a.example", path: "/callboard/" } },
    kinds: ["PersistentVolumeClaim", "Ingress"],
    check(find, container) {
      assert.equal(valueOf(container.env, "CALLBOARD_URL"), "http://a.example/callboard");
      for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
        assert.match(container[probe].httpGet.path, /^\/callboard\/api\//);
      }
      assert.match(find("Pod").spec.containers[0].args.at(-1), /\/callboard\/api\/health$/);
    },
  },
  "two servers on a shared store": {
    values: { replicas: 2, store: { url: KV }, existingSecret: "callboard" },
    kinds: ["PodDisruptionBudget"],
    check(find, { env }) {
      const { spec } = find("Deployment").spec.template;
      assert.equal(valueOf(env, "CALLBOARD_KV"), KV);
      assert.equal(spec.topologySpreadConstraints.length, 1);
      assert.ok(spec.volumes.some(({ emptyDir }: Manifest) => emptyDir));
    },
  },
  "a rolling update on a shared store": {
    values: {
      replicas: 3,
      store: { url: KV },
      generate: { secretKey: true },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
      podDisruptionBudget: { enabled: false },
    },
    kinds: ["Secret"],
    check(find) {
      const key = Buffer.from(find("Secret").data.CALLBOARD_SECRET_KEY, "base64").toString();
      assert.equal(Buffer.from(key, "base64").length, 32);
      assert.equal(find("Deployment").spec.strategy.rollingUpdate.maxSurge, 1);
    },
  },
  "generated and existing secrets": {
    values: { generate: { adminPassword: true }, existingSecret: "callboard" },
    kinds: ["PersistentVolumeClaim", "Secret"],
    check(find, { env, volumeMounts }) {
      const { volumes } = find("Deployment").spec.template.spec;
      const { projected } = volumes.find(({ name }: Manifest) => name === "secrets");
      assert.deepEqual(projected.sources.map(({ secret }: Manifest) => secret.name), [
        "test-callboard-generated",
        "callboard",
      ]);
      const { mountPath } = volumeMounts.find(({ name }: Manifest) => name === "secrets");
      assert.equal(valueOf(env, "CREDENTIALS_DIRECTORY"), mountPath);
    },
  },
  "monitoring": {
    values: {
      generate: { metricsToken: true },
      metrics: {
        serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
        prometheusRule: { enabled: true },
      },
    },
    kinds: ["PersistentVolumeClaim", "PrometheusRule", "Secret", "ServiceMonitor"],
    check(find) {
      const [{ authorization }] = find("ServiceMonitor").spec.endpoints;
      assert.ok(find("Secret").data[authorization.credentials.key]);
      const [{ rules }] = find("PrometheusRule").spec.groups;
      assert.ok(rules.every(({ alert, expr }: Manifest) => alert && expr));
      assert.match(JSON.stringify(rules), /\{\{ \$labels\.instance \}\}/);
    },
  },
  "settings of all types": {
    values: {
      settings: {
        CALLBOARD_TASK_TIME_LIMIT_SECONDS: 86_400_000,
        CALLBOARD_DRAIN_SECONDS: 300,
        CALLBOARD_USERS_CREATE_PROJECTS: true,
        CALLBOARD_ADMIN_NAME: 'Alice: the "admin"',
      },
    },
    kinds: ["PersistentVolumeClaim"],
    check(find, { env }) {
      assert.equal(valueOf(env, "CALLBOARD_TASK_TIME_LIMIT_SECONDS"), "86400000");
      assert.equal(valueOf(env, "CALLBOARD_USERS_CREATE_PROJECTS"), "true");
      assert.equal(valueOf(env, "CALLBOARD_ADMIN_NAME"), 'Alice: the "admin"');
      const { terminationGracePeriodSeconds } = find("Deployment").spec.template.spec;
      assert.ok(terminationGracePeriodSeconds > 300);
    },
  },
  "a closed cluster": {
    values: {
      image: { repository: "registry.example/callboard", digest: `sha256:${"0".repeat(64)}` },
      imagePullSecrets: [{ name: "registry" }],
      networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
      nodeSelector: { "kubernetes.io/arch": "amd64" },
      tolerations: [{ operator: "Exists" }],
      priorityClassName: "high",
      podAnnotations: { "example.org/note": "1" },
      podLabels: { team: "ops" },
    },
    kinds: ["NetworkPolicy", "PersistentVolumeClaim"],
    check(_find, { image }) {
      assert.match(image, /^registry\.example\/callboard@sha256:0+$/);
    },
  },
  "volumes of its own": {
    values: {
      persistence: { existingClaim: "old-data" },
      serviceAccount: { create: false, name: "shared" },
      fullnameOverride: "console",
      extraEnv: [{ name: "https_proxy", value: "http://proxy:3128" }],
      extraVolumes: [{ name: "ca", configMap: { name: "ca" } }],
      extraVolumeMounts: [{ name: "ca", mountPath: "/etc/ca", readOnly: true }],
    },
    kinds: [],
    check(find) {
      const { metadata, spec } = find("Deployment");
      assert.equal(metadata.name, "console");
      assert.equal(spec.template.spec.serviceAccountName, "shared");
      const [{ persistentVolumeClaim }] = spec.template.spec.volumes;
      assert.equal(persistentVolumeClaim.claimName, "old-data");
    },
  },
  "nothing kept": {
    values: { persistence: { enabled: false }, replicas: 0 },
    kinds: [],
  },
};

/** Values that the chart refuses, and the sentence that it refuses them with. */
const REFUSALS: Record<string, [Values, RegExp]> = {
  "two servers on a file": [{ replicas: 2 }, /More than one server needs a shared store/],
  "a rolling update on a file": [
    { strategy: { type: "RollingUpdate" } },
    /Two servers cannot use one database file/,
  ],
  "a shared store without a key": [{ store: { url: KV } }, /need the same key/],
  "a ServiceMonitor without a token": [
    { metrics: { serviceMonitor: { enabled: true } } },
    /needs a token/,
  ],
  "a secret among the settings": [
    { settings: { CALLBOARD_SMTP_URL: "smtp://me:secret@mail" } },
    /CALLBOARD_SMTP_URL/,
  ],
  "a value that it does not know": [{ replicaCount: 2 }, /replicaCount/],
};

Deno.test("Helm accepts the chart", async () => {
  const helm = await helmCommand();
  assert.match(await succeed([helm, "lint", "--strict", CHART]), /0 chart\(s\) failed/);
});

for (const [name, { values, kinds, check }] of Object.entries(CASES)) {
  Deno.test(`the chart creates sound objects for ${name}`, async () => {
    const manifests = await render(values);
    assert.deepEqual(
      manifests.map(({ kind }) => kind).sort(),
      [...ALWAYS, ...kinds].filter((kind) =>
        kind !== "ServiceAccount" || name !== "volumes of its own"
      ).sort(),
    );
    checkObjects(manifests);
    const find = (kind: string) => manifests.find((manifest) => manifest.kind === kind)!;
    checkPods(find);
    check?.(find, find("Deployment").spec.template.spec.containers[0]);
  });
}

for (const [name, [values, sentence]] of Object.entries(REFUSALS)) {
  Deno.test(`the chart refuses ${name}`, async () => {
    await assert.rejects(render(values), sentence);
  });
}

Deno.test("the chart has the version of the application", async () => {
  const { version, appVersion } = parse(await Deno.readTextFile(join(CHART, "Chart.yaml")));
  assert.deepEqual([version, appVersion], [denoJson.version, denoJson.version]);
});

Deno.test("the chart accepts no secret among its settings", () => {
  const refused = schema.properties.settings.propertyNames.not.enum;
  const secrets = SECRET_SETTINGS.filter((name) => name.startsWith("CALLBOARD_"));
  assert.deepEqual(secrets.filter((name) => !refused.includes(name)), []);
});

async function render(values: Values): Promise<Manifest[]> {
  const helm = await helmCommand();
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(values));
    const options = ["--kube-version=1.30.0", "--namespace=ops", `--values=${file}`];
    const text = await succeed([helm, "template", "test", CHART, ...options]);
    return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
  } finally {
    await Deno.remove(file);
  }
}

function checkObjects(manifests: Manifest[]): void {
  const names = new Set<string>();
  for (const { apiVersion, kind, metadata } of manifests) {
    assert.ok(apiVersion, kind);
    assert.match(metadata.name, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
    assert.equal(metadata.labels["app.kubernetes.io/instance"], "test");
    for (const value of Object.values(metadata.annotations ?? {})) {
      assert.equal(typeof value, "string");
    }
    names.add(`${kind} ${metadata.name}`);
  }
  assert.equal(names.size, manifests.length);
}

function checkPods(find: (kind: string) => Manifest): void {
  const { spec, spec: { template } } = find("Deployment");
  const { labels } = template.metadata;
  for (const selector of [spec.selector.matchLabels, find("Service").spec.selector]) {
    assert.ok(Object.entries(selector).every(([name, value]) => labels[name] === value));
    assert.ok(
      Object.entries(selector).some(([name, value]) => find("Pod").metadata.labels[name] !== value),
    );
  }
  for (const pod of [template.spec, find("Pod").spec]) checkConfined(pod);

  const [container] = template.spec.containers;
  const ports = container.ports.map(({ name }: Manifest) => name);
  assert.ok(ports.includes(find("Service").spec.ports[0].targetPort));
  const volumes = template.spec.volumes.map(({ name }: Manifest) => name).sort();
  assert.deepEqual(container.volumeMounts.map(({ name }: Manifest) => name).sort(), volumes);
  const names = (container.env ?? []).map(({ name }: Manifest) => name);
  assert.equal(new Set(names).size, names.length);
  const settings = names.filter((name: string) => name.startsWith("CALLBOARD_"));
  assert.deepEqual(settings.filter((name: string) => !SETTINGS.includes(name)), []);
  for (const { value } of container.env ?? []) assert.equal(typeof value, "string");
  if (!names.includes("CALLBOARD_KV")) {
    assert.ok(spec.replicas <= 1 && spec.strategy.type === "Recreate");
  }
}

/** Checks what the namespace label `pod-security.kubernetes.io/enforce: restricted` asks for. */
function checkConfined({ securityContext, containers, automountServiceAccountToken }: Manifest) {
  assert.equal(automountServiceAccountToken, false);
  assert.equal(securityContext.runAsNonRoot, true);
  assert.equal(securityContext.runAsUser, 10001);
  assert.equal(securityContext.seccompProfile.type, "RuntimeDefault");
  for (const container of containers) {
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    });
  }
}

function valueOf(env: Manifest[], name: string): string {
  return env.find((variable) => variable.name === name)?.value;
}
