import { readBoundedTextSync } from '../../base/bounded-file.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { escaped } from '../../base/text/printable.ts';
import { applyConfig } from '../../plan/apply-config.ts';
import { applyObjects } from '../../plan/cluster/apply-objects.ts';
import type { ObservedPlan } from '../../plan/make-plan.ts';
import { renderPlan } from '../../plan/render.ts';
import { readSavedPlan, type SavedPlan, worldHash } from '../../plan/saved-plan.ts';
import { showsColours } from '../../view/text-table.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';
import { askAtTerminal } from './ask-at-terminal.ts';
import { readPlan } from './read-plan.ts';
import { withCluster } from './with-cluster.ts';

/** Most bytes of a plan's file: those of its inputs, as JSON. */
const maxBytes = 64 * 1024 * 1024;

/** `azimuth apply`: applies a plan in a file; one line on standard output for each object. */
export const apply: Program = async (argv) => {
  const config = applyConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const { file, yes, forceConflicts, credential } = config;
  const saved = readSavedPlan(file, readFile(file));
  return withCluster(config, async (cluster) => {
    const { client, connection, signal } = cluster;
    const place = `${connection.server} (${connection.source})`;
    console.log(escaped(`Cluster: ${place}`));
    if (connection.server !== saved.server)
      throw new AzimuthError('AZ_CONFIG_INVALID', `${file} is for ${saved.server}: choose its cluster by --context`);
    const { documents, ...basis } = saved;
    const read = () => readPlan(cluster, documents, basis, credential);
    let observed = await read();
    console.log(renderPlan(observed.plan, 'text', { colours: showsColours(process.stdout, process.env) }));
    refuseOutdated(file, saved, observed);
    if (!yes) {
      if (!(await askAtTerminal(`Apply this to ${place}? [y/N] `, signal))) {
        note('azimuth: nothing was applied: say y at a terminal, or add --yes');
        return exitCodes.failed;
      }
      // A person may have thought about it for hours.
      observed = await read();
      refuseOutdated(file, saved, observed);
    }
    const report = (line: string) => console.log(escaped(line));
    const { fieldManager } = saved;
    await applyObjects(client, observed, { fieldManager, forceConflicts, report, signal });
    return exitCodes.done;
  });
};

function readFile(file: string): string {
  try {
    return readBoundedTextSync(file, maxBytes);
  } catch (error) {
    throw new AzimuthError('AZ_CONFIG_INVALID', `The file ${file} cannot be read: ${messageOf(error)}`);
  }
}

function refuseOutdated(file: string, { world }: SavedPlan, observed: ObservedPlan): void {
  const [problem] = observed.plan.problems;
  if (problem) throw new AzimuthError('AZ_CONFIG_INVALID', `${problem.path}: ${problem.message}`);
  if (worldHash(observed) === world) return;
  const fix = 'nothing was applied; plan again with --out, and look at it';
  throw new AzimuthError('AZ_PLAN_OUTDATED', `The cluster or Azure changed after the plan ${file} was made: ${fix}`);
}
