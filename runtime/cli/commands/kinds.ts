import { addNamedKinds } from '../../api/named-kinds.ts';
import { escaped } from '../../base/text/printable.ts';
import { documentsOf } from '../../plan/read-documents.ts';
import { readFiles } from '../../plan/read-files.ts';
import { kindsConfig } from '../../view/kinds/config.ts';
import { type KindsInUse, kindsInUse } from '../../view/kinds/kinds-in-use.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';
import { withCluster } from './with-cluster.ts';

/**
 * `azimuth kinds`: the kinds that a cluster or manifests need on standard output, the rest on standard error. Text has no
 * kinds where one could not be listed, so that no shell takes a part of them for all.
 */
export const kinds: Program = async (argv) => {
  const config = kindsConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const found =
    config.files.length > 0
      ? await inFiles(config.files)
      : await withCluster(config, ({ client, signal }) => kindsInUse(client, signal));
  const { unused = [], notDefined = [], notListed = [], problems = [] } = found;
  const isWhole = notListed.length + problems.length === 0;
  const isText = config.output === 'text' || config.output === 'name';
  if (config.output === 'json') console.log(escaped(JSON.stringify(found, undefined, 2)));
  else if (config.output === 'yaml') console.log((await import('../../base/text/to-yaml.ts')).toYaml(found));
  else if (isWhole && found.kinds.length > 0) console.log(found.kinds.join(config.output === 'name' ? '\n' : ';'));
  else if (isWhole) note('No kinds of Azure resources found.');
  if (isText && unused.length > 0) note(`Defined, and not needed: ${unused.join(';')}`);
  if (isText && notDefined.length > 0) note(`Needed, and not defined: ${notDefined.join(';')}`);
  if (notListed.length > 0) note(`azimuth: you may not list ${notListed.join(', ')} in any namespace`);
  for (const problem of problems) note(`azimuth: ${problem}`);
  return isWhole ? exitCodes.done : exitCodes.failed;
};

async function inFiles(files: readonly string[]): Promise<Pick<KindsInUse, 'kinds'> & Partial<KindsInUse>> {
  const found = new Set<string>();
  const read = await readFiles(files, process.stdin, { recursive: true });
  for (const { manifest } of documentsOf(read)) addNamedKinds(manifest, found);
  return { kinds: [...found].sort() };
}
