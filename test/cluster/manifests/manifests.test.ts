import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { programNames } from '../../../constructs/program-list.ts';
import { selectKinds } from '../../../runtime/api/kind-pattern.ts';
import { allKinds, operatorKinds } from '../../../runtime/api/kinds.ts';
import { identityPermissions, nmiPermissions, operatorPermissions } from '../../../runtime/api/permissions/index.ts';
import { eventually } from '../../fakes/eventually.ts';
import { kubectl, takeAway, tryKubectl } from '../kubectl.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-manifests-'));
/** A part of the kinds: kubectl asks for the rights on each group apart, and an old API server is slow with all of them. */
const pattern =
  'azimuth.dev/*;resources.azure.com/*;storage.azure.com/*;compute.azure.com/*;documentdb.azure.com/*;managedidentity.azure.com/*';
const served = new Set<unknown>(selectKinds(pattern, operatorKinds));
const defined = allKinds.filter((kind) => served.has(kind) || !operatorKinds.some((each) => each === kind));

beforeAll(async () => {
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  const { status, stderr } = spawnSync('node', ['main.ts'], {
    env: {
      ...process.env,
      AZIMUTH_CHECK_SERVICE_ACCOUNTS: 'true',
      AZIMUTH_KINDS: pattern,
      AZIMUTH_PROGRAMS: programNames.join(';'),
      CDK8S_OUTDIR: directory,
      KUBERNETES_VERSION: `${major}.${minor}`,
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
});

afterAll(async () => {
  await takeAway(directory);
  rmSync(directory, { recursive: true });
});

/** As the guide says: kubectl knows the kinds of a command's objects only if they were there when it began. */
async function applyAll(): Promise<string> {
  const [definitions = '', programs = ''] = readdirSync(directory).sort();
  const defined = await kubectl(['apply', '-f', join(directory, definitions)]);
  await kubectl(['wait', '--for=condition=Established', '--timeout=300s', '-f', join(directory, definitions)]);
  return defined + (await kubectl(['apply', '-f', join(directory, programs)]));
}

test('kubectl apply takes everything that was synthesized', async () => {
  const output = await applyAll();
  expect(output.match(/customresourcedefinition\S+ (created|configured|unchanged)/g)).toHaveLength(defined.length);
  for (const workload of [
    'deployment.apps/azimuth-operator',
    'deployment.apps/azimuth-identity',
    'daemonset.apps/azimuth-nmi',
  ])
    expect(output).toMatch(new RegExp(`${workload} (created|configured|unchanged)`));
});

test('applying again changes nothing', async () => {
  const versions = async () =>
    await kubectl([
      'get',
      '-f',
      directory,
      '-o',
      'jsonpath={range .items[*]}{.metadata.uid} {.metadata.generation}\n{end}',
    ]);
  const before = await versions();
  const lines = (await applyAll()).trim().split('\n');
  // An old kubectl sends the selector of a PodDisruptionBudget each time, whatever the server has.
  expect(lines.filter((line) => !/ unchanged$|^poddisruptionbudget\..* configured$/.test(line))).toEqual([]);
  expect(await versions()).toBe(before);
});

test('every definition is established and structural', async () => {
  await kubectl([
    'wait',
    '--for=condition=Established',
    '--timeout=300s',
    'crd',
    ...defined.map(({ plural, group }) => `${plural}.${group}`),
  ]);
  const { items } = JSON.parse(await kubectl(['get', 'crd', '-o', 'json']));
  const ours = items.filter((crd: { spec: { group: string } }) =>
    defined.some(({ group }) => group === crd.spec.group),
  );
  const problems = ours.flatMap(
    (crd: { metadata: { name: string }; status: { conditions: { type: string; status: string }[] } }) =>
      crd.status.conditions
        .filter(({ type, status }) => type === 'NonStructuralSchema' && status === 'True')
        .map(({ type }) => `${crd.metadata.name}: ${type}`),
  );
  expect(problems).toEqual([]);
});

const accounts = [
  {
    name: 'azimuth-operator',
    namespace: 'azimuth-system',
    permissions: operatorPermissions(selectKinds(pattern, operatorKinds), {
      deployments: true,
      checkServiceAccounts: true,
    }),
  },
  { name: 'azimuth-identity', namespace: 'azimuth-system', permissions: identityPermissions() },
  { name: 'azimuth-nmi', namespace: 'azimuth-system-nodes', permissions: nmiPermissions() },
];

const isServed = async (group = '', plural = '') =>
  (await tryKubectl(['get', '--raw', `/apis/${group}/v1`])).stdout.includes(`"name":"${plural}"`);

test.each(accounts)(
  '$name may do what its program declares, and not more',
  async ({ name, namespace, permissions }) => {
    const as = `--as=system:serviceaccount:${namespace}:${name}`;
    const can = async (verb: string, resource: string, ...more: string[]) =>
      (await tryKubectl(['auth', 'can-i', verb, resource, as, ...more])).stdout.trim() === 'yes';
    for (const { apiGroups, resources, resourceNames, verbs } of permissions.cluster) {
      // A rule grants the same for all its resources, so the first speaks for the rest.
      for (const resource of resources.slice(0, 1)) {
        const [plural, subresource] = resource.split('/');
        const full = apiGroups[0] === '' ? plural : `${plural}.${apiGroups[0]}`;
        const more = ['--all-namespaces', ...(subresource ? [`--subresource=${subresource}`] : [])];
        const [one] = resourceNames ?? [];
        // An old API server has no admission policies, and kubectl asks about no name of a resource that is not there.
        if (one !== undefined && !(await isServed(apiGroups[0], plural))) continue;
        for (const verb of verbs) {
          const named = one === undefined ? full : `${full}/${one}`;
          expect({ verb, named, can: await can(verb, named as string, ...more) }).toMatchObject({ can: true });
          if (one !== undefined) expect(await can(verb, full as string, ...more)).toBe(false);
        }
      }
    }
    const leases = permissions.namespace.length > 0;
    expect(await can('update', 'leases.coordination.k8s.io', '-n', namespace)).toBe(leases);
    expect(await can('update', 'leases.coordination.k8s.io', '-n', 'default')).toBe(false);
    expect(await can('delete', 'secrets', '--all-namespaces')).toBe(false);
    expect(await can('create', 'pods', '--all-namespaces')).toBe(false);
    // Deployments are switched on, and they delete objects that a template has no more.
    const deletes = name === 'azimuth-operator';
    expect(await can('delete', 'storageaccounts.storage.azure.com', '--all-namespaces')).toBe(deletes);
    expect(await can('patch', 'azureidentities.aadpodidentity.k8s.io', '--all-namespaces')).toBe(false);
  },
);

test('the operator may read the issuer of the cluster with the rights of every service account', async () => {
  const groups = ['system:serviceaccounts', 'system:authenticated'].map((group) => `--as-group=${group}`);
  const as = ['--as=system:serviceaccount:azimuth-system:azimuth-operator', ...groups];
  const { issuer } = JSON.parse(await kubectl(['get', '--raw', '/.well-known/openid-configuration', ...as]));
  expect(issuer).toMatch(/^https:/);
});

test('kubectl explain shows the purpose of a field', async () => {
  const explain = () => tryKubectl(['explain', 'storageaccounts.spec.owner']);
  // An old server builds the document that kubectl reads anew for each CRD, seconds each where there are many.
  const published = async () => {
    if ((await explain()).status === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return false;
  };
  await eventually('the schemas are published', published, 400_000);
  const { stdout } = await explain();
  expect(stdout).toMatch(/DESCRIPTION/);
  expect(stdout).toMatch(/armId/);
});
