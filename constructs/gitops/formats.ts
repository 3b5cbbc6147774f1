import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { App } from 'cdk8s';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { helmChart } from '../helm/chart.ts';
import type { Platform, PlatformProps } from '../platform.ts';
import { synthesize, writeFiles } from './gitops-files.ts';

/** Formats of `npm run synth -- --format FORMAT`. */
export const formats = ['manifests', 'helm'] as const;

/** Arguments of the synthesis. */
export interface SynthesisArguments {
  readonly format: (typeof formats)[number];
  /** The folder to write into. @default that of cdk8s: `CDK8S_OUTDIR`, else `dist` */
  readonly output?: string;
}

/**
 * Reads the arguments of the synthesis: `--format helm` and `--output FOLDER`, also with `=`.
 *
 * @throws for another argument, naming it
 */
export function synthesisArguments(argv: readonly string[]): SynthesisArguments {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { format: { ...text, default: 'manifests' }, output: text },
    allowPositionals: true,
    strict: false,
  });
  const { format: value, output, ...others } = values;
  const format = formats.find((known) => known === value);
  const isFolder = output === undefined || (typeof output === 'string' && output !== '');
  if (format && isFolder && positionals.length + Object.keys(others).length === 0)
    return { format, ...(output !== undefined && { output: String(output) }) };
  throw new Error(
    `Expected the arguments to be --format ${formats.join(' or --format ')} and --output FOLDER, got \`${argv.join(' ')}\``,
  );
}

/**
 * Writes the manifests into the folder of the app, or a Helm chart into `helm/azimuth` below it. The programs of the
 * platform do not matter to the chart, as its values select them.
 *
 * Returns what it wrote, in words. @throws for problems of the constructs, each with its path
 */
export function write(format: (typeof formats)[number], app: App, platform: Platform, props: PlatformProps): string {
  const { version, kinds, versions, descriptions, kubernetesVersion } = props;
  if (format === 'manifests') {
    synthesize(app, platform);
    const files = readdirSync(app.outdir).filter((name) => name.endsWith('.k8s.yaml'));
    return `${files.map((name) => `${app.outdir}/${name}`).join(', ')}, and files for GitOps tools beside`;
  }
  const defined = platform.crds.kinds.filter((kind) => operatorKinds.includes(kind));
  writeFiles(
    `${app.outdir}/helm/azimuth`,
    helmChart({ version, kinds, defined, versions, descriptions, kubernetesVersion }),
  );
  return `the Helm chart ${app.outdir}/helm/azimuth`;
}

/** What a cluster cannot pull: an image whose name has no registry, which means one of Docker Hub. */
export function imageNote(image: string): string | undefined {
  const [registry = '', ...path] = image.split('/');
  if (path.length > 0 && (/[.:]/.test(registry) || registry === 'localhost')) return undefined;
  return `the image ${image} names no registry, so that clusters look for it in Docker Hub: set AZIMUTH_IMAGE`;
}
