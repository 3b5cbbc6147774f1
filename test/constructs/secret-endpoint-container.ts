import { Testing } from 'cdk8s';
import { Platform } from '../../constructs/index.ts';

/** NODE_OPTIONS and memory limit, MiB, that the synthesized container of the secret endpoint has by default. */
export function secretEndpointContainer(): { readonly nodeOptions: string; readonly mebibytes: number } {
  const app = Testing.app();
  const machineSecrets = { endpoint: { audiences: ['api://azimuth-secrets'] } };
  new Platform(app, 'azimuth', { image: 'a/b:1', version: '1', kinds: 'resources.azure.com/*', machineSecrets });
  const all = app.charts.flatMap((chart) => chart.toJson());
  const { spec } = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'azimuth-secrets');
  const [{ env, resources }] = spec.template.spec.containers;
  const { value } = env.find(({ name }: { name: string }) => name === 'NODE_OPTIONS');
  return { nodeOptions: value, mebibytes: Number.parseInt(resources.limits.memory, 10) };
}
