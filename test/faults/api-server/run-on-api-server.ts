import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startApiServer } from '../../../tools/clusters/envtest.ts';
import { build } from '../../../tools/judges/build.ts';
import { answers } from './answers.ts';
import type { ApiServerScenario } from './api-world.ts';
import { restore } from './restore.ts';

/** Scenarios on a real API server, by the word that `npm run test:faults -- <word>` picks them with. */
export const apiServerScenarios: Readonly<Record<string, ApiServerScenario>> = { answers, restore };

const programs = ['etcd', 'kube-apiserver'];

/** Runs these scenarios one after the other, each on an API server of its own. Returns why they failed. */
export async function runOnApiServer(
  words: readonly string[],
  bin: string,
  report: (text: string) => void,
): Promise<string[]> {
  const assets = findAssets();
  if (assets.missing !== undefined) return [`NOT RUN: ${words.join(', ')}: ${assets.missing}`];
  const problems: string[] = [];
  for (const word of words) {
    const scenario = apiServerScenarios[word];
    const started = performance.now();
    const server = await startApiServer(assets.directory);
    try {
      const failures = await scenario?.(server, bin, (text) => report(`${word}: ${text}`));
      problems.push(...(failures ?? []).map((failure) => `${word}: ${failure}`));
    } catch (error) {
      problems.push(`${word}: ${error instanceof Error ? error.message : error}`);
    } finally {
      await server.stop();
    }
    report(`${word}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  return problems;
}

type Assets = { readonly directory: string; readonly missing?: never } | { readonly missing: string };

/** The directory of etcd and kube-apiserver: that of KUBEBUILDER_ASSETS, or one where they are built. */
function findAssets(): Assets {
  const given = process.env['KUBEBUILDER_ASSETS'];
  if (given) {
    const missing = programs.find((name) => !existsSync(join(given, name)));
    return missing ? { missing: `KUBEBUILDER_ASSETS has no program ${missing}` } : { directory: given };
  }
  let directory = '';
  for (const name of programs) {
    const built = build(name);
    if (built === undefined) return { missing: `the program ${name} is missing, and cannot be built here` };
    directory = built;
  }
  return { directory };
}
