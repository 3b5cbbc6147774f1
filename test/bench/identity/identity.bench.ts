import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeConnection } from '../../../runtime/kube/config/connection.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import type { Bench, Figure } from '../bench.ts';
import { type StormResult, storm } from './identity-storm.ts';

const nodes = 20;
const identities = 50;
const scaleSets = 4;
const operationMs = 2000;

export const bench: Bench = {
  name: 'identity',
  description: `pods bound in one storm on ${nodes} nodes of ${scaleSets} scale sets, ${identities} identities, ${operationMs} ms for a change in Azure; BENCH_PODS, KUBECONFIG or the embedded API`,
  async run() {
    const sizes = (process.env['BENCH_PODS'] ?? '2000').split(',').map(Number);
    const figures: Figure[] = [];
    for (const pods of sizes) {
      const result = await withApi((connection) =>
        storm({ connection, pods, nodes, identities, scaleSets, operationMs, single: 100 }),
      );
      figures.push(...figuresOf(pods, result));
    }
    return figures;
  },
};

export function figuresOf(pods: number, result: StormResult): Figure[] {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const row = (what: string, ours: string, goal: string, ok: boolean): Figure => ({
    what: `${pods} pods: ${what}`,
    ours,
    theirs: '',
    goal,
    ok,
  });
  const total = Object.values(result.requests).reduce((sum, count) => sum + count, 0);
  const writes = Object.entries(result.requests).filter(([key]) => key.endsWith('azureassignedidentities'));
  const spelled = Object.entries(result.requests)
    .map(([key, count]) => `${key} ${count}`)
    .join(', ');
  const perPod = writes.reduce((sum, [, count]) => sum + count, 0) / pods;
  return [
    row(
      'all assigned (p50, p99, last)',
      [result.p50Ms, result.p99Ms, result.assignedMs].map(seconds).join(', '),
      'shown',
      true,
    ),
    row(
      'ARM writes by scale set',
      result.patches.join(', '),
      'at most 4 each',
      result.patches.every((count) => count <= 4),
    ),
    row('ARM reads, polls included', String(result.armReads), 'shown', true),
    row('API requests', `${total} (${spelled})`, 'shown', true),
    row('RSS of controller, Azure and client in one process', `${(result.rss / 2 ** 20).toFixed(0)} MB`, 'shown', true),
    row('writes of assignments for each pod', perPod.toFixed(2), 'at most 2', perPod <= 2.05),
    row(
      'pod to assigned, identity attached already, p99',
      `${result.singleP99Ms.toFixed(0)} ms`,
      'under 250 ms',
      result.singleP99Ms < 250,
    ),
    row('all released', seconds(result.releasedMs), 'shown', true),
    row(
      'ARM writes of the release by scale set',
      result.releasePatches.join(', '),
      'at most 60 each',
      result.releasePatches.every((count) => count <= 60),
    ),
    row('identities too many or too few', String(result.wrong), 'none', result.wrong === 0),
  ];
}

async function withApi<T>(work: (connection: KubeConnection) => Promise<T>): Promise<T> {
  if (process.env['KUBECONFIG']) return work(loadKubeConnection());
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
  const kube = await startEmbeddedKube();
  try {
    const kubeconfig = join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
    return await work(loadKubeConnection({ kubeconfig }));
  } finally {
    await kube.close();
    rmSync(directory, { recursive: true });
  }
}
