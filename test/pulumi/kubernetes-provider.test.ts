/** The stack platform by Pulumi's own Kubernetes provider, on a current API server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { get, onApiServer } from '../gitops/cluster.ts';
import { toolsFolder } from '../gitops/support.ts';
import { startLanguageHost } from './language-host.ts';
import { PulumiCli } from './pulumi-cli.ts';

const closers: { close(): unknown }[] = [];
let pulumi: PulumiCli;

beforeAll(async () => {
  const language = await startLanguageHost();
  // Without an address for the provider kubernetes, the engine starts pulumi-resource-kubernetes of the PATH.
  pulumi = new PulumiCli(`${toolsFolder()}/pulumi`, { language: language.port }, toolsFolder());
  closers.push(language, pulumi);
}, 60_000);
afterAll(async () => {
  for (const closer of closers.reverse()) await closer.close();
  for (const file of globSync('stacks/*/Pulumi.dev.yaml')) rmSync(file);
});

const clientId = '00000000-0000-4000-8000-00000000cafe';
const settings = {
  image: 'registry.example/azimuth:1',
  programs: 'operator;pod-identity;key-vault-csi',
  kinds: 'resources.azure.com/*;storage.azure.com/*',
  'programSettings.azimuth-operator-settings.AZURE_CLIENT_ID': clientId,
};
/** The provider waits for pods of workloads, which this cluster without nodes never has. */
const withoutPrograms = ['--exclude', '**apps/v1**'];

test('a preview of the whole platform, then all but the programs: up, again without a change, an edit, destroy', async () => {
  await onApiServer(async () => {
    await pulumi.init('platform', settings);
    const whole = await pulumi.run('platform', ['preview']);
    expect(whole).toMatch(
      /kubernetes:apps\/v1:Deployment\s+apps\/v1\/Deployment\/azimuth-system\/azimuth-operator\s+create/,
    );
    await pulumi.run('platform', ['up', '--yes', ...withoutPrograms]);
    const definition = 'resourcegroups.resources.azure.com';
    expect(await get('customresourcedefinition', definition)).toBeDefined();
    const { data } = await get('secret', 'azimuth-operator-settings', 'azimuth-system');
    expect(data).toEqual({ AZURE_CLIENT_ID: Buffer.from(clientId).toString('base64') });
    await pulumi.run('platform', ['up', '--yes', '--refresh', '--expect-no-changes', ...withoutPrograms]);

    await pulumi.run('platform', ['config', 'set', 'multiTenant', 'true']);
    await pulumi.run('platform', ['up', '--yes', ...withoutPrograms]);
    await pulumi.run('platform', ['preview', '--expect-no-changes', ...withoutPrograms]);
    await withGarbageCollector(() => pulumi.run('platform', ['destroy', '--yes']));
    expect(await get('secret', 'azimuth-operator-settings', 'azimuth-system')).toBeUndefined();
    expect(await get('customresourcedefinition', definition)).toBeDefined();
  });
}, 900_000);

/** The provider deletes in the foreground, and waits until the finalizers of that are gone. */
async function withGarbageCollector(work: () => Promise<unknown>): Promise<void> {
  const controllers = spawn(
    `${toolsFolder()}/kube-controller-manager`,
    [
      `--kubeconfig=${process.env['KUBECONFIG']}`,
      '--controllers=garbage-collector-controller,namespace-controller',
      '--leader-elect=false',
      '--secure-port=0',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(controllers, 'exit');
  try {
    await Promise.race([work(), ended.then(([status]) => Promise.reject(new Error(`controllers ended: ${status}`)))]);
  } finally {
    controllers.kill();
    await ended;
  }
}
