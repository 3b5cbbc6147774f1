import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type EmbeddedKube, startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { cacheConformance } from '../../conformance/cache-conformance.ts';
import { clientConformance } from '../../conformance/client-conformance.ts';

/** The suites that also run on a real API server (test/cluster): the embedded one must give the same results. */
const folder = mkdtempSync(join(tmpdir(), 'embedded-kube-'));
const kubeconfig = join(folder, 'kubeconfig');
let kube: EmbeddedKube;

beforeAll(async () => {
  kube = await startEmbeddedKube();
  writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
});
afterAll(async () => {
  await kube.close();
  rmSync(folder, { recursive: true });
});

clientConformance('embedded Kubernetes API', () => kubeconfig);
cacheConformance('embedded Kubernetes API', () => kubeconfig);
