import { expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { types, until } from '../support.ts';
import { deploymentType, runIn, startDeploymentWorld } from './deployment-world.ts';

test('a deployment with a kind that the cluster does not define says so, and goes on once it is defined', async () => {
  const world = await startDeploymentWorld();
  try {
    await world.startOperator({}, { kinds: '' });
    const kind = kindOf('network.azure.com', 'PublicIPAddress');
    const type = resourceOf(kind);
    await world.apply(types.group, 'rg', { location: 'westeurope' });
    await world.apply(deploymentType, 'early', {
      locations: [{ name: 'westeurope' }],
      template: {
        manifests: [
          {
            apiVersion: `${type.group}/${type.version}`,
            kind: type.kind,
            metadata: { name: 'ip' },
            spec: { location: 'westeurope', owner: { name: 'rg' } },
          },
        ],
      },
    });
    await until('the deployment names the kind', async () => {
      const { status } = (await world.get(deploymentType, 'early')) as KubeObject;
      return JSON.stringify(status ?? {}).includes('PublicIPAddress.network.azure.com');
    });
    const manifest = crdManifest(kind, { versions: 'newest' }) as unknown as KubeObject;
    await world.client.create(customResourceDefinitions, manifest);
    await runIn(world, 'early', 'Succeeded');
    expect((await world.get(type, 'ip'))['status'].id).toMatch(/publicIPAddresses\/ip$/);
  } finally {
    await world.close();
  }
});
