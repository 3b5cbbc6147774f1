import type { App } from 'cdk8s';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { helmChart } from '../helm/chart.ts';
import type { Platform, PlatformProps } from '../platform.ts';
import { synthesize, writeFiles } from './gitops-files.ts';

/** Formats of `npm run synth -- --format <format>`. */
export const formats = ['manifests', 'helm'] as const;

/**
 * Reads the arguments of the synthesis: `--format helm` or `--format=helm`.
 *
 * @throws for another argument, naming it
 */
export function formatOf(argv: readonly string[]): (typeof formats)[number] {
  const [first = '--format=manifests', ...rest] = argv;
  const value = first === '--format' ? rest.shift() : /^--format=(.*)$/.exec(first)?.[1];
  const format = formats.find((known) => known === value);
  if (format && rest.length === 0) return format;
  throw new Error(`Expected the arguments to be --format ${formats.join(' or --format ')}, got \`${argv.join(' ')}\``);
}

/**
 * Writes the manifests into the folder of the app, or a Helm chart into `helm/azimuth` below it. The programs of the
 * platform do not matter to the chart, as its values select them.
 *
 * @throws for problems of the constructs, each with its path
 */
export function write(format: (typeof formats)[number], app: App, platform: Platform, props: PlatformProps): void {
  const { version, kinds, versions, kubernetesVersion } = props;
  if (format === 'manifests') {
    synthesize(app, platform);
    return;
  }
  const defined = platform.crds.kinds.filter((kind) => operatorKinds.includes(kind));
  writeFiles(`${app.outdir}/helm/azimuth`, helmChart({ version, kinds, defined, versions, kubernetesVersion }));
}
