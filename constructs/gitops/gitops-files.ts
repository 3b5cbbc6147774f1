import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type App, Yaml } from 'cdk8s';
import type { KindDefinition } from '../../runtime/api/types.ts';
import type { Platform } from '../platform.ts';
import { argoCdConfig } from './argo-cd.ts';
import { fluxKustomizations } from './flux.ts';
import { printYaml } from './manifest-yaml.ts';
import { kustomizeConfiguration } from './name-references.ts';

/** The files that exist where the platform has kinds. */
const kindFiles = ['gitops/argocd-cm.yaml', 'gitops/flux.yaml', 'gitops/name-references.yaml'];

/**
 * The files that GitOps tools read beside the manifests, by path below the folder of the manifests. `Kustomization` has no
 * ending, and the others lie in a folder of their own, so that `kubectl apply -f <folder>` applies the manifests alone.
 *
 * @param manifests names of the files with manifests, in the order in which they are applied
 */
export function gitOpsFiles(kinds: readonly KindDefinition[], manifests: readonly string[]): Record<string, string> {
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [...manifests],
  };
  return {
    Kustomization: printYaml(kustomization),
    ...(kinds.length > 0 && {
      'gitops/argocd-cm.yaml': printYaml(argoCdConfig(kinds)),
      'gitops/flux.yaml': printYaml(...fluxKustomizations(kinds)),
      'gitops/name-references.yaml': printYaml(kustomizeConfiguration(kinds)),
    }),
  };
}

/**
 * Writes the manifests of an app with a platform into the folder of the app, and the files of GitOps tools beside them.
 * Manifests of the platform from an earlier synthesis go first: other programs may have other file names.
 *
 * @throws for problems of the constructs, each with its path
 */
export function synthesize(app: App, platform: Platform): void {
  const names = () =>
    readdirSync(app.outdir).filter((name) => name.endsWith('.k8s.yaml') && name.includes(platform.node.id));
  mkdirSync(app.outdir, { recursive: true });
  for (const name of [...names(), ...kindFiles]) rmSync(join(app.outdir, name), { force: true });
  synthWithPrinter(app);
  writeFiles(app.outdir, gitOpsFiles(platform.crds.kinds, names().sort()));
}

/** `app.synth()` with the quick printer: cdk8s has no setting for its own. */
function synthWithPrinter(app: App): void {
  const { stringify } = Yaml;
  Yaml.stringify = printYaml;
  try {
    app.synth();
  } finally {
    Yaml.stringify = stringify;
  }
}

/** Writes such files below a folder, over those that are there. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
