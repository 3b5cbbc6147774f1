import { fileURLToPath } from 'node:url';
import { systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { followDeployment } from '../../view/watch/follow.ts';
import { lineScreen } from '../../view/watch/screen.ts';
import { readManifests } from './apply.ts';
import type { DemoWorld } from './world.ts';

const manifest = fileURLToPath(new URL('deployment.yaml', import.meta.url));

/** Shows a template that goes into two locations, one after the other, as `azimuth watch` does; returns its resources. */
export async function showDeployment({ progress, client, applier, signal }: DemoWorld): Promise<number> {
  const [deployment] = await readManifests([manifest]);
  if (!deployment) throw new AzimuthError('AZ_CONFIG_INVALID', `${manifest} has no object`);
  const { template, locations } = deployment['spec'];
  const resources = template.manifests.length * locations.length;
  await progress.step('Deploy a template into two locations, one after the other', async (note) => {
    await applier.apply(deployment);
    const screen = lineScreen({
      write: (text) => {
        for (const line of text.trimEnd().split('\n')) progress.line(`    ${line}`);
      },
    });
    const end = await followDeployment({
      client,
      clock: systemClock,
      key: deployment.metadata,
      show: (view) => screen.show(view, Date.now()),
      onTrouble: (message) => progress.line(`    ${message}`),
      signal,
      everyMs: 100,
    });
    signal.throwIfAborted();
    if (end !== 'Succeeded') throw new AzimuthError('AZ_OPERATION_FAILED', `${deployment.metadata.name} has failed`);
    note(`${resources} resources in ${locations.length} locations`);
  });
  return resources;
}
