/** A thread that expands one public template: its heap is bounded, so that it ends only where the bound suffices. */
import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { context } from '../../compute/templates/support.ts';

const { file, runs } = workerData as { readonly file: string; readonly runs: number };
const values = file.replace(/\.json$/, '.parameters.json');
const parameters = existsSync(values) ? JSON.parse(readFileSync(values, 'utf8')).parameters : {};
const text = readFileSync(file, 'utf8');
const expand = () => expandTemplate(text, { ...context, managementGroup: { name: 'mg' }, parameters });

const { resources, problems } = expand();
const times = Array.from({ length: runs }, () => {
  const before = performance.now();
  expand();
  return performance.now() - before;
});
parentPort?.postMessage({
  milliseconds: Math.min(...times),
  kib: Math.round(text.length / 1024),
  resources: resources.length,
  problems: problems.length,
});
