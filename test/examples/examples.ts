/** The folders of examples/, as tests read them. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../runtime/kube/client/types.ts';

/** Names of the examples. */
export const examples = globSync('examples/*/')
  .map((folder) => basename(folder))
  .sort();

/** The manifests of an example, by file, `examples/database/database.yaml`. */
export const manifestFiles = (example: string) => globSync(`examples/${example}/**/*.yaml`).sort();

/** The objects of a file, in order. */
export const objectsOf = (file: string) =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubeObject);

/** Runs the program of an example, which writes its manifests into `directory`; their files. */
export async function synthesize(program: string, directory: string): Promise<string[]> {
  process.env['CDK8S_OUTDIR'] = directory;
  try {
    await import(`../../${program}`);
  } finally {
    delete process.env['CDK8S_OUTDIR'];
  }
  return globSync(`${directory}/*.yaml`).sort();
}
