import { writeFileSync } from 'node:fs';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { ConfigOf } from '../../base/program.ts';
import type { Plan } from '../../compute/plan/change.ts';
import { planConfig } from '../../plan/config.ts';
import { offlinePlan } from '../../plan/offline-plan.ts';
import { documentsOf, type PlanDocument } from '../../plan/read-documents.ts';
import { readFiles, readParameters } from '../../plan/read-files.ts';
import { readTemplateRoot } from '../../plan/read-template-root.ts';
import { hasChanges, renderPlan } from '../../plan/render.ts';
import { showsColours } from '../../view/text-table.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';

/** `azimuth plan`: the changes that applying manifests would make. */
export const plan: Program = async (argv) => {
  const config = planConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const files = await readFiles(config.files, process.stdin, { bicep: config.bicep });
  const parameters =
    config.parameters === undefined ? undefined : await readParameters(config.parameters, process.stdin);
  const { resourceGroup, location, managementGroup, templateRoot } = config;
  const documents = documentsOf(files, {
    ...(parameters && { parameters }),
    ...(resourceGroup !== undefined && { resourceGroup }),
    ...(location !== undefined && { location }),
    ...(managementGroup !== undefined && { managementGroup }),
    ...(templateRoot !== undefined && { linkedTemplates: await readTemplateRoot(templateRoot) }),
  });
  const found = await planOf(documents, config);
  const text = renderPlan(found, config.output, { colours: showsColours(process.stdout, process.env) });
  // A plan without changes has no names.
  if (text !== '') console.log(text);
  if (config.output !== 'text') for (const { path, message } of found.problems) note(`azimuth: ${path}: ${message}`);
  if (found.problems.length > 0) return exitCodes.failed;
  return config.detailedExitCode && hasChanges(found) ? exitCodes.changes : exitCodes.done;
};

async function planOf(documents: readonly PlanDocument[], config: ConfigOf<typeof planConfig>): Promise<Plan> {
  const now = Date.now();
  const { namespace, fieldManager, out, live } = config;
  if (config.offline) return offlinePlan(documents, { namespace: namespace ?? 'default', now, fieldManager });
  // The HTTP client takes a quarter of the start.
  const { withCluster } = await import('./with-cluster.ts');
  return withCluster(config, async (cluster) => {
    const { readPlan } = await import('./read-plan.ts');
    const { server } = cluster.connection;
    const { managedSecretsFeature } = config;
    const basis = {
      namespace: namespace ?? cluster.connection.namespace,
      now,
      fieldManager,
      live,
      managedSecretsFeature,
    };
    const observed = await readPlan(cluster, documents, basis, config.credential);
    if (out !== undefined && observed.plan.problems.length === 0) {
      const { savedPlanText } = await import('../../plan/saved-plan.ts');
      const { text, omitted } = savedPlanText(observed, documents, { ...basis, server });
      writePlan(out, text);
      if (omitted > 0) note(`azimuth: ${out} lacks ${omitted} objects of other kinds: apply them by kubectl before`);
    }
    return observed.plan;
  });
}

function writePlan(out: string, text: string): void {
  try {
    writeFileSync(out, text, { mode: 0o600 });
  } catch (error) {
    throw new AzimuthError('AZ_CONFIG_INVALID', `The file ${out} cannot be written: ${messageOf(error)}`);
  }
}
