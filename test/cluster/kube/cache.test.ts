import { cacheConformance } from '../../conformance/cache-conformance.ts';

cacheConformance('the cluster of KUBECONFIG', () => {
  const path = process.env['KUBECONFIG'];
  if (!path) throw new Error('Set KUBECONFIG to a cluster for tests');
  return path;
});
