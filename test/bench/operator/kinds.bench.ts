import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { operatorKinds } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import type { Bench, Figure } from '../bench.ts';
import { operatorImage } from './operator-process.ts';

const runs = 3;
const few = operatorKinds.filter(({ kind }) => kind === 'ResourceGroup' || kind === 'ArmResource');

/** What an operator without objects has used some ten seconds after it was ready: the medians of several starts. */
interface Usage {
  /** Processor time. */
  readonly seconds: number;
  /** RSS in MB. */
  readonly rss: number;
  /** Of it, what is no file's, in MB. */
  readonly own: number;
  /** Its page of metrics. */
  readonly kilobytes: number;
}

async function usageWith(kinds: typeof operatorKinds): Promise<Usage> {
  const directory = mkdtempSync(join(tmpdir(), 'kinds-'));
  const [kube, azure] = await Promise.all([startEmbeddedKube(), startEmbeddedAzure()]);
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kube.adminKubeconfig);
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  for (const kind of kinds) await client.create(customResourceDefinitions, crdManifest(kind) as KubeObject);
  const start = await operatorImage({ directory, kubeconfig, azure });
  const all: Usage[] = [];
  try {
    for (let run = 0; run < runs; run++) {
      const operator = await start();
      await operator.rest();
      const seconds = operator.cpuSeconds();
      const { rss, anonymous } = operator.memory();
      all.push({ seconds, rss, own: anonymous, kilobytes: (await operator.metricsBytes()) / 1000 });
      await operator.stop();
    }
  } finally {
    await Promise.all([client.close(), azure.close(), kube.close()]);
  }
  const median = (member: keyof Usage) =>
    all.map((each) => each[member]).sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
  return { seconds: median('seconds'), rss: median('rss'), own: median('own'), kilobytes: median('kilobytes') };
}

/** The operator of the image without `--kinds`: it knows every kind, and serves those that the cluster defines. */
export const bench: Bench = {
  name: 'kinds',
  description: `the operator of the image where ${few.length} kinds are defined, against one where all ${operatorKinds.length} are; no objects`,
  async run(): Promise<readonly Figure[]> {
    const [ours, theirs] = [await usageWith(few), await usageWith(operatorKinds)];
    const figure = (what: string, member: keyof Usage, most: number, digits = 0): Figure => ({
      what,
      ours: ours[member].toFixed(digits),
      theirs: theirs[member].toFixed(digits),
      ratio: theirs[member] / ours[member],
      goal: `at most ${most} of it`,
      ok: ours[member] <= most * theirs[member],
    });
    return [
      figure('processor time of the start and ten idle seconds, s', 'seconds', 0.75, 2),
      figure('RSS, MB', 'rss', 0.95),
      figure('of it own, MB', 'own', 0.9),
      figure('page of metrics, kB', 'kilobytes', 0.25),
    ];
  },
};
