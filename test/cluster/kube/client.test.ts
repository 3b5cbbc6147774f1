import { expect, test } from '@jest/globals';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { clientConformance } from '../../conformance/client-conformance.ts';
import { configMaps } from '../../conformance/resources.ts';

const kubeconfig = () => {
  const path = process.env['KUBECONFIG'];
  if (!path) throw new Error('Set KUBECONFIG to a cluster for tests');
  return path;
};

clientConformance('the cluster of KUBECONFIG', kubeconfig);

test('an administrator can act as a user who may do nothing', async () => {
  const impersonate = { user: 'nobody-in-particular', groups: ['nobodies'], extra: { 'azimuth.test/why': ['test'] } };
  const client = createKubeClient({ ...loadKubeConnection({ kubeconfig: kubeconfig() }), impersonate });
  const refused = client.list(configMaps, { namespace: 'default' });
  await expect(refused).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('nobody-in-particular'),
  });
  await client.close();
});
