import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dashboards } from '../../constructs/monitoring/dashboards/index.ts';
import { selectKinds } from '../../runtime/api/kind-pattern.ts';
import { machineKinds, operatorKinds, podIdentityKinds, resourceOf } from '../../runtime/api/kinds.ts';
import { type DemoSummary, demoKinds, runDemo } from '../../runtime/cli/demo/demo.ts';
import { createProgress } from '../../runtime/cli/demo/progress.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { listAll } from '../../runtime/kube/client/paginate.ts';
import type { ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { startLocalUi } from '../ui/support.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-demo-'));
const core = (plural: string, kind: string): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});
const events: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

let shown = '';
let summary: DemoSummary;
/** Everything that anybody but the owner of a Secret can see of the run, by where it was seen. */
const seen: Record<string, string> = {};
/** Objects on the page. */
const pageRows: string[] = [];
/** Values that nobody must see. */
const secretValues: string[] = [];

beforeAll(async () => {
  const output = {
    write: (text: string) => {
      shown += text;
    },
  };
  summary = await runDemo({
    progress: createProgress(output),
    directory: join(directory, 'run'),
    signal: AbortSignal.timeout(280_000),
    whileUp: async ({ kubeconfig, programs }) => {
      const client = createKubeClient(loadKubeConnection({ kubeconfig }));
      const { items: secrets } = await listAll(client, core('secrets', 'Secret'), { namespace: 'demo' });
      const key = secrets.find(({ metadata }) => metadata.name === 'photos-storage')?.['data'].key;
      secretValues.push(key, Buffer.from(key, 'base64').toString());
      secretValues.push(
        readFileSync(join(directory, 'run/gallery/mnt/vault/password'), 'utf8'),
        readFileSync(join(directory, 'run/gallery/mnt/vault/tls.key'), 'utf8').split('\n')[1] ?? '',
      );
      const authority = secrets.find(({ metadata }) => metadata.name === 'shop-ca')?.['data']['tls.key'];
      secretValues.push(Buffer.from(authority, 'base64').toString().split('\n')[1] ?? '');
      for (const type of [
        events,
        core('events', 'Event'),
        core('configmaps', 'ConfigMap'),
        ...[...podIdentityKinds, ...machineKinds, ...selectKinds(demoKinds, operatorKinds)].map(resourceOf),
      ]) {
        seen[`${type.plural}.${type.group}`] = JSON.stringify((await listAll(client, type)).items);
      }
      const ui = await startLocalUi(kubeconfig);
      const stream = ui.stream(ui.token);
      await stream.complete();
      pageRows.push(...stream.names());
      seen['stream of the page'] = stream.text;
      for (const row of stream.rows.values()) {
        const { group, kind, namespace, name } = row;
        const query = new URLSearchParams({ group, kind, namespace, name });
        const detail = await ui.get(`/api/object?${query}`, { authorization: `Bearer ${ui.token}` });
        expect(detail.status).toBe(200);
        seen[`detail of ${row.id}`] = detail.text;
      }
      await ui.close();
      for (const [name, { health }] of Object.entries(programs)) {
        seen[`metrics of ${name}`] = await (await fetch(`${health}/metrics`)).text();
      }
      await client.close();
    },
  });
  for (const [name, { log }] of Object.entries(summary.programs)) seen[`log of ${name}`] = readFileSync(log, 'utf8');
  seen['output'] = shown;
}, 300_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the application starts, once everything it waits for is there', () => {
  expect(shown).toMatch(/Deployment photos\s+waits: Secret demo\/photos-storage does not exist yet/);
  expect(shown).toMatch(/photos is up: blobs at https:\/\/azimuthphotos\.blob\.core\.windows\.net\//);
});

test('a template goes into two locations, one after the other', () => {
  expect(shown).toMatch(/sites-1 \(GoalChanged\)/);
  const west = shown.indexOf('westeurope Succeeded 100%');
  expect(west).toBeGreaterThan(0);
  expect(shown.indexOf('northeurope Succeeded 100%')).toBeGreaterThan(west);
});

test('an image that makes instances ill stops at one of them in the first location, and is rolled back', () => {
  expect(shown).toMatch(
    /sites-\d .*[fF]ailed.*: VirtualMachineScaleSet\S+sites-westeurope: 1 of 3 instances have the model, 1 are unhealthy/,
  );
  expect(shown).toContain('it stopped in westeurope, and northeurope keeps image 1.0.0');
  expect(shown).toContain('Wait for its roll-back: image 1.0.0 again, and 0 of 3 instances are ill');
});

test('a pod signs in as the identity of the application, by its own address, as soon as it is assigned', () => {
  const clientId = /photos is up: .* identity (\S+) /.exec(shown)?.[1];
  expect(shown).toContain(`thumbnails is signed in as ${clientId} for https://storage.azure.com until `);
  expect(shown).toMatch(/AzureAssignedIdentity thumbnails-demo-photos\s+Assigned/);
  const [issued] = (seen['log of nmi'] ?? '').split('\n').filter((line) => line.includes('"token issued"'));
  expect(JSON.parse(issued ?? '{}')).toMatchObject({
    pod: 'demo/thumbnails',
    binding: 'demo/photos',
    node: 'laptop',
    outcome: 'issued',
  });
});

test("a pod has a secret, a certificate with its key and a key of the vault as files, with its identity's rights", () => {
  expect(shown).toMatch(/Volume of Pod gallery +password, tls\.crt, tls\.key, signing\.pub/);
  expect(shown).toContain(
    'gallery has a password of 28 characters, a certificate with its key for CN=photos.example and an EC key',
  );
  expect(seen['log of nmi']).toMatch(/"pod":"demo\/gallery".*"outcome":"issued"/);
});

test('a certificate reaches every instance of scale sets in two regions, and so does its renewal', () => {
  expect(shown).toMatch(/FeatureRegistration managed-secrets +Ready/);
  expect(shown).toMatch(/Make a certificate, and scale sets of two regions that get it: version 1 on every instance/);
  const last = (set: string) =>
    [
      ...shown.matchAll(
        new RegExp(
          `VirtualMachineScaleSet ${set} +version \\d \\(…(\\w+) in its region's vault\\) on 3 of 3 instances`,
          'g',
        ),
      ),
    ].map(([, certificate]) => certificate);
  const [west, north] = [last('shop-westeurope'), last('shop-northeurope')];
  expect([west.length, north.length]).toEqual([2, 2]);
  expect(new Set([...west, ...north]).size).toBe(4);
  // Azure goes from instance to instance.
  expect(shown).toMatch(
    /VirtualMachineScaleSet shop-westeurope +version 2 \(…\w+ in its region's vault\) on 1 of 3 instances/,
  );
});

test('a version that makes instances ill stops at one of them in the first region, and a pin takes it back', () => {
  expect(shown).toMatch(
    /ManagedSecret shop-web +Version 3 stopped in northeurope, .*: 1 of 3 instances have the model, 1 are unhealthy/,
  );
  expect(shown).toContain('untrusted authority: it stopped in northeurope, and westeurope keeps version 2');
  expect(shown).toContain('Pin version 2: northeurope has version 2 again, and 0 of 3 instances are ill');
});

test('the part about health waits for four batches, and so for 20 s at most', () => {
  expect(summary.health.batches).toBe(4);
  expect(summary.health.waitSeconds).toBeLessThanOrEqual(20);
  expect(shown).toMatch(/A bad certificate and a bad image stopped and were taken back in [\d.]+ s: 4 batches/);
});

test('a machine that polls gets the certificate and, while it waits, its renewal', () => {
  expect(shown).toMatch(/Let a machine poll it at the secret endpoint: it got version 1 from \S+:azimuth-secrets/);
  expect(shown).toMatch(/The machine that polls +version 2/);
  expect(shown).toMatch(/Ask for a new certificate: version 2 on every instance and at the machine/);
  const served = (seen['log of secrets'] ?? '').split('\n').filter((line) => line.includes('"outcome":"served"'));
  expect(served.map((line) => JSON.parse(line)['version'])).toEqual([1, 2]);
});

test('the token is on record as an event of the binding', () => {
  expect(shown).toMatch(/Event TokenIssued on AzureIdentityBinding +Pod demo\/thumbnails \(service account default/);
});

test('the page has the resources, identities, secrets and volumes of the demonstration', () => {
  expect(pageRows).toEqual(
    expect.arrayContaining([
      'demo/StorageAccount/photos',
      'demo/AzureIdentityBinding/photos',
      'demo/ManagedSecret/shop-web',
      'demo/Volume/gallery/vault',
      '/FeatureRegistration/managed-secrets',
    ]),
  );
});

test('no program asked for anything that the manifests do not let it do', () => {
  for (const name of Object.keys(summary.programs)) expect(seen[`log of ${name}`]).not.toMatch(/forbidden/i);
});

test('no output other than plain lines goes to something that is no terminal', () => {
  expect(shown).not.toContain('\u001b');
});

test('every write to Azure has a token of its own', () => {
  expect(summary.azureWrites).toBeGreaterThan(0);
  expect(summary.reusedTokens).toBe(0);
});

test('the reference pages list exactly the metrics that the running operator serves', () => {
  const rows = (page: string) => [
    // Those of tracing need a collector, those of readers with a token a port for them.
    ...(readFileSync(`docs/${page}.md`, 'utf8').split(/^## Spans$/m)[0] ?? '').matchAll(
      /^\| `(\w+)` \| (?:counter|gauge|histogram) \| (.*) \|$/gm,
    ),
  ];
  const pages = ['reference/metrics', 'reference/operator', 'guides/managed-secrets'];
  const documented = pages.flatMap(rows).map(([, name, help]) => `${name} ${help}`);
  // What every program has beside them stands in the text of the page.
  const ofEveryProgram = /^# HELP (?!process_|nodejs_|azimuth_build_info)(.*)$/gm;
  const served = [...(seen['metrics of operator'] ?? '').matchAll(ofEveryProgram)].map(([, text]) => text);
  expect(documented.sort()).toEqual(served.sort());
});

test('every dashboard asks for metrics that the running program serves', () => {
  const running = Object.entries(dashboards).filter(([program]) => seen[`metrics of ${program}`] !== undefined);
  expect(running.map(([program]) => program)).toEqual(
    expect.arrayContaining(['operator', 'identity', 'nmi', 'volumes']),
  );
  // The agent of the demonstration installs no driver, and its node daemon makes no rules.
  const absent = ['azimuth_volumes_driver_installed', 'azimuth_nmi_redirection_ready'];
  for (const [program, dashboard] of running) {
    const served = new Set((seen[`metrics of ${program}`] ?? '').match(/^# HELP \w+/gm));
    const asked = JSON.stringify(dashboard).match(/\b(?:azimuth|aadpodidentity|workqueue|process|nodejs)_\w+(?=\{)/g);
    const metrics = [...new Set(asked)].map((name) => name.replace(/_(bucket|count)$/, ''));
    const missing = metrics.filter((name) => !served.has(`# HELP ${name}`) && !served.has(`# HELP ${name}_count`));
    expect({ program, missing: missing.filter((name) => !absent.includes(name)) }).toEqual({ program, missing: [] });
  }
});

test('what is searched for secrets is really there', () => {
  expect(secretValues[1]).toMatch(/^.{40,}$/);
  const key = expect.stringMatching(/^.{60,}$/);
  expect(secretValues.slice(2)).toEqual(['correct horse battery staple', key, key]);
  expect(seen['log of operator']).toContain('StorageAccount');
  expect(seen['metrics of operator']).toContain('controller_runtime_reconcile_total');
  expect(seen['log of nmi']).toContain('token issued');
  expect(seen['log of volumes']).toContain('drivers are answered');
  expect(seen['metrics of nmi']).toContain('aadpodidentity_nmi_');
  expect(seen['events.events.k8s.io']).toContain('BeginCreateOrUpdate');
  expect(seen['storageaccounts.storage.azure.com']).toContain('"type":"Ready"');
});

test('no secret value and no token appears in a log, event, status, metric or on the screen', () => {
  for (const [place, text] of Object.entries(seen)) {
    for (const secret of secretValues) expect({ place, found: text.includes(secret) }).toEqual({ place, found: false });
    expect({ place, tokens: text.match(/eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/g) }).toEqual({ place, tokens: null });
  }
});
