import { CustomResource } from '@pulumi/kubernetes/apiextensions/customResource.js';
import * as core from '@pulumi/kubernetes/core/v1/index.js';
import type { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import { Platform, type PlatformProps } from '../../constructs/platform.ts';

/** Properties of `Manifests`. */
export interface ManifestsArgs extends PlatformProps {
  /**
   * Settings of each program, of which its Secret is made: ids, and nothing that could sign in.
   *
   * @default none: other people make the Secrets
   */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, pulumi.Input<string>>>>>;
  /**
   * The cluster.
   *
   * @default that of the environment's kubeconfig
   */
  readonly provider?: Provider;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The provider refuses a type whose apiVersion has no group; a kind of the core group has a class of its own. */
function classOf({ apiVersion, kind }: Manifest): typeof CustomResource {
  if (apiVersion !== 'v1') return CustomResource;
  return (core as unknown as Record<string, typeof CustomResource>)[kind] ?? CustomResource;
}

/**
 * The charts that `npm run synth` writes, one Pulumi resource for each object: definitions first, then namespaces, then
 * settings, then the rest. `pulumi up` ends when the programs are ready.
 */
export class Manifests extends pulumi.ComponentResource {
  readonly namespace: string;
  /** Notes for the person who deploys. */
  readonly notes: readonly string[];

  constructor(
    name: string,
    { settings = {}, provider, ...props }: ManifestsArgs,
    options?: pulumi.ComponentResourceOptions,
  ) {
    super('azimuth:index:Manifests', name, {}, { ...options, ...(provider && { providers: [provider] }) });
    const app = new App();
    const platform = new Platform(app, name, props);
    this.namespace = platform.namespace;
    this.notes = platform.notes;
    const manifests = app.charts.flatMap((chart) => Chart.of(chart).toJson() as Manifest[]);
    const take = (choose: (manifest: Manifest) => boolean) => manifests.filter(choose);
    const isDefinition = ({ kind }: Manifest) => kind === 'CustomResourceDefinition';
    const isNamespace = ({ kind }: Manifest) => kind === 'Namespace';

    // A definition that goes takes every object of its kind along.
    const definitions = this.#apply(take(isDefinition), { retainOnDelete: true });
    const namespaces = this.#apply(take(isNamespace), {});
    const secrets = Object.entries(settings).map(([secret, stringData]) => {
      const metadata = { name: secret, namespace: platform.namespace };
      return new core.Secret(secret, { metadata, stringData }, { parent: this, dependsOn: namespaces });
    });
    this.#apply(
      take((manifest) => !isDefinition(manifest) && !isNamespace(manifest)),
      { dependsOn: [...definitions, ...namespaces, ...secrets] },
    );
    this.registerOutputs({});
  }

  #apply(manifests: readonly Manifest[], options: pulumi.CustomResourceOptions): pulumi.Resource[] {
    return manifests.map((manifest) => {
      const { apiVersion, kind, metadata } = manifest;
      const id = [apiVersion, kind, metadata.namespace, metadata.name].filter(Boolean).join('/');
      return new (classOf(manifest))(id, { ...manifest }, { parent: this, ...options });
    });
  }
}
