import type { ArmReader } from '../azure/arm/arm-reader.ts';
import type { ImportConfig } from './config.ts';
import { discover, type ImportProblem } from './discover.ts';
import { manifestsOf } from './manifests.ts';
import { renderCdk8s } from './render-cdk8s.ts';
import { renderYaml } from './render-yaml.ts';

/** The output of one import. */
export interface Imported {
  /** The output: YAML or a program. */
  readonly text: string;
  /** Manifests in the text. */
  readonly count: number;
  /** Resources that are not in it, or not in full. */
  readonly problems: readonly ImportProblem[];
}

/** Reads resources of Azure and writes them as manifests. Throws AZ_CONFIG_INVALID for an id that names none. */
export async function importResources(reader: ArmReader, config: ImportConfig): Promise<Imported> {
  const { found, problems } = await discover(config.ids, { ...config, reader });
  const made = manifestsOf(found, config);
  const text = config.output === 'yaml' ? renderYaml(made.manifests) : renderCdk8s(made.manifests);
  return { text, count: made.manifests.length, problems: [...problems, ...made.problems] };
}
