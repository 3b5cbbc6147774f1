import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { get, onApiServer, withRunningPrograms, writeStatus } from './cluster.ts';
import { everything, judge, removeFolders, run, succeed, synth } from './support.ts';

const kinds = { AZIMUTH_KINDS: 'resources.azure.com/*' };
const group = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: 'photos', namespace: 'default' },
  spec: { location: 'westeurope' },
};
const groupPath = '/apis/resources.azure.com/v1api20200601/namespaces/default/resourcegroups/photos';
const definition = 'resourcegroups.resources.azure.com';
let folder = '';
let argo = '';
let flux = '';

beforeAll(async () => {
  folder = await synth({ ...everything, ...kinds });
  argo = join(folder, 'gitops/argocd-cm.yaml');
  flux = join(folder, 'gitops/flux.yaml');
});
afterAll(removeFolders);

/** The objects of the manifests, those of the last files first: the order has to come from the tool. */
const manifests = (): object[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.k8s.yaml'))
    .sort()
    .reverse()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((each) => each.toJS()));

const ready = { type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z' };

/** Resolves when the group exists. */
async function created(): Promise<void> {
  while (!(await get('resourcegroup', 'photos'))) await new Promise((resolve) => setTimeout(resolve, 200));
}

const isDefinition = (object: object) => (object as { kind: string }).kind === 'CustomResourceDefinition';

test("Argo CD's engine applies definitions, programs and resources in one sync, and a prune keeps the definitions", () =>
  onApiServer(async () => {
    const all = manifests();
    // The engine waits until programs and resources are healthy.
    const synced = await withRunningPrograms(async () => {
      const syncing = judge(['argo-sync', argo], [group, ...all]);
      await created();
      await writeStatus(groupPath, { conditions: [{ ...ready, observedGeneration: 1 }] });
      return await syncing;
    });
    expect(synced.filter(({ status }) => status !== 'Synced')).toEqual([]);
    expect(synced).toHaveLength(all.length + 1);
    expect(await get('resourcegroup', 'photos')).toBeDefined();

    const rest = all.filter((object) => !isDefinition(object));
    const pruned = await withRunningPrograms(() => judge(['argo-sync', argo], [group, ...rest]));
    expect(pruned.filter(({ status }) => status === 'Pruned')).toEqual([]);
    expect(pruned.find(({ object }) => object.endsWith(definition))).toMatchObject({ status: 'PruneSkipped' });
    expect(await get('crd', definition)).toBeDefined();
    expect(await get('resourcegroup', 'photos')).toBeDefined();
  }));

test("Flux's library applies the folder in stages and waits for the programs and for Ready", () =>
  onApiServer(async () => {
    const applied = await withRunningPrograms(() => judge(['flux-apply', flux], manifests()));
    expect(new Set(applied.map(({ status }) => status))).toEqual(new Set(['created']));

    let isDone = false;
    const waiting = judge(['flux-apply', flux], [group]).then((results) => {
      isDone = true;
      return results;
    });
    await created();
    // A result for an older generation is none.
    await writeStatus(groupPath, { conditions: [{ ...ready, observedGeneration: 0 }] });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(isDone).toBe(false);
    await writeStatus(groupPath, { conditions: [{ ...ready, observedGeneration: 1 }] });
    expect((await waiting).map(({ object }) => object)).toEqual(['ResourceGroup/photos']);
  }));

test("Flux's library reports a resource that Azure refused at once", () =>
  onApiServer(async () => {
    await withRunningPrograms(() => judge(['flux-apply', flux], manifests()));
    const failing = judge(['flux-apply', flux], [group]).catch((error: Error) => error.message);
    await created();
    const found = {
      status: 'False',
      reason: 'Refused',
      observedGeneration: 1,
      lastTransitionTime: new Date().toISOString(),
    };
    await writeStatus(groupPath, {
      conditions: [
        { ...found, type: 'Ready', severity: 'Error' },
        { ...found, type: 'Stalled', status: 'True', severity: 'Error' },
      ],
    });
    expect(await failing).toContain("ResourceGroup/default/photos status: 'Failed'");
  }));

test('kubectl applies the folder in one go, with kustomize and without', () =>
  onApiServer(async () => {
    await succeed('kubectl', ['apply', '--server-side', '-f', folder]);
    await succeed('kubectl', ['apply', '--server-side', '-k', folder]);
    expect(await get('crd', definition)).toBeDefined();
    expect(await get('deployment', 'azimuth-operator', 'azimuth-system')).toBeDefined();
  }));

test('the comparison with the cluster shows a change, and nothing where there is none', () =>
  onApiServer(async () => {
    // A busy API server may not serve a definition yet when kubectl comes to an object of it.
    const apply = ['apply', '--server-side', '-f', folder];
    await run('kubectl', apply);
    await succeed('kubectl', ['wait', 'crd', '--all', '--for=condition=Established', '--timeout=300s']);
    await succeed('kubectl', apply);
    const env = { ...everything, ...kinds };
    expect(await run('node', ['tools/diff.ts', '--cluster'], { env })).toMatchObject({ status: 0, stdout: '' });
    const changed = await run('node', ['tools/diff.ts', '--cluster'], { env: { ...env, AZIMUTH_IMAGE: 'other:1' } });
    expect(changed.status).toBe(1);
    expect(changed.stdout).toMatch(/^\+ +image: other:1$/m);
  }));
